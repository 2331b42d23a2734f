//! Files that are given to a session: where they go, who may read them, and what is refused.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use belfry_protocol::{ErrorCode, Reply, Request};
use belfry_tests::daemon::TestDaemon;
use ntest::timeout;

fn piece(session: &str, name: &str, file: Option<&str>, offset: usize, bytes: &[u8]) -> Request {
    Request::SaveAttachment {
        session: session.to_owned(),
        name: name.to_owned(),
        file: file.map(ToOwned::to_owned),
        offset: offset as u64,
        data: STANDARD.encode(bytes),
    }
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[tokio::test]
#[timeout(60000)]
async fn a_file_comes_in_pieces_and_lies_in_the_sessions_folder_for_its_program_alone() {
    let daemon = TestDaemon::start().await;
    let session = daemon.new_session(daemon.shell_request(&["sh", "-c", "exec cat"])).await;
    let id = session.id.to_string();
    let connection = daemon.connect().await;
    let bytes: Vec<u8> = (0..1_300_000_u32).map(|at| (at % 251) as u8).collect();
    let (mut file, mut path) = (None, None);
    for (index, part) in bytes.chunks(600_000).enumerate() {
        let request = piece(&id, "../screen shot.png", file.as_deref(), index * 600_000, part);
        let Reply::Attachment(saved) = connection.request(request).await.unwrap() else { panic!("no path") };
        (file, path) = (Some(saved.file), Some(PathBuf::from(saved.path)));
    }
    let path = path.unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(path.parent().unwrap(), daemon.home().session_dir(session.id).join("attachments"));
    assert_eq!(path.file_name().unwrap(), "screen-shot.png");
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));

    // The next one of that name is another file.
    let again = connection.request(piece(&id, "screen shot.png", None, 0, b"other")).await.unwrap();
    let Reply::Attachment(again) = again else { panic!("no path") };
    assert_eq!(again.file, "screen-shot-2.png");
    assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len());

    // It goes with its session.
    let remove = Request::RemoveSession { session: id, now: true, kill: true };
    connection.request(remove).await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
#[timeout(60000)]
async fn pieces_that_do_not_fit_together_and_files_that_are_too_large_are_refused() {
    let daemon = TestDaemon::start().await;
    let session = daemon.new_session(daemon.shell_request(&["sh", "-c", "exec cat"])).await;
    let id = session.id.to_string();
    let connection = daemon.connect().await;
    let Reply::Attachment(begun) = connection.request(piece(&id, "a.txt", None, 0, b"one")).await.unwrap()
    else {
        panic!("no path")
    };
    let launch = daemon.home().launch_file(session.id);
    let before = std::fs::read(&launch).unwrap();
    for (request, code) in [
        (piece(&id, "a.txt", Some(&begun.file), 7, b"gap"), ErrorCode::BadRequest),
        (piece(&id, "a.txt", None, 3, b"no begin"), ErrorCode::BadRequest),
        (piece(&id, "a.txt", Some("../launch.json"), before.len(), b"x"), ErrorCode::BadRequest),
        (piece(&id, "a.txt", Some("b.txt"), 0, b"x"), ErrorCode::NotFound),
        (piece(&id, "a.txt", None, 20 << 20, b"x"), ErrorCode::TooMuch),
        (piece("nobody", "a.txt", None, 0, b"x"), ErrorCode::NoSuchSession),
    ] {
        assert_eq!(connection.request(request).await.unwrap_err().code(), Some(code));
    }
    assert_eq!(std::fs::read(&launch).unwrap(), before);
    assert_eq!(std::fs::read(begun.path).unwrap(), b"one");
}

#[tokio::test]
#[timeout(60000)]
async fn a_file_of_a_private_session_stays_in_memory() {
    let daemon = TestDaemon::start().await;
    let mut new = daemon.shell_request(&["sh", "-c", "exec cat"]);
    new.private = true;
    let session = daemon.new_session(new).await;
    let connection = daemon.connect().await;
    let request = piece(&session.id.to_string(), "secret.png", None, 0, b"hush");
    let Reply::Attachment(saved) = connection.request(request).await.unwrap() else { panic!("no path") };
    let path = PathBuf::from(saved.path);
    assert!(path.starts_with(daemon.home().private_dir().unwrap()), "{}", path.display());
    assert!(!path.starts_with(daemon.home().state_dir()));
    assert_eq!(mode(&path), 0o600);
}
