use std::ffi::OsString;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::directory::{DirectoryError, create_private, open_private};

/// A directory of its own for each test, gone afterwards.
struct Temp(PathBuf);

#[allow(clippy::unwrap_used, reason = "a test's set-up")]
impl Temp {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("belfry-platform-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn vars<'a>(pairs: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
    |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
}

#[test]
fn belfry_home_moves_everything() {
    let home = Home::from_vars(vars(&[("BELFRY_HOME", "/x y/ü"), ("HOME", "/home/u")])).unwrap();
    assert_eq!(home.config_dir(), Path::new("/x y/ü/config"));
    assert_eq!(home.daemon_socket(), Path::new("/x y/ü/run/daemon.sock"));
    assert_eq!(home.run("s", "r").exit(), Path::new("/x y/ü/state/sessions/s/runs/r/exit.json"));
    assert_eq!(home.root(), Some(Path::new("/x y/ü")));
    let relative = Home::from_vars(vars(&[("BELFRY_HOME", "here/b"), ("HOME", "/home/u")]));
    assert!(matches!(relative, Err(HomeError::Relative(path)) if path == Path::new("here/b")));
}

#[cfg(target_os = "linux")]
#[test]
fn xdg_variables_count_only_when_absolute() {
    let home = Home::from_vars(vars(&[
        ("HOME", "/home/u"),
        ("XDG_CONFIG_HOME", "relative"),
        ("XDG_STATE_HOME", "/st"),
        ("XDG_RUNTIME_DIR", "/run/user/7"),
    ]))
    .unwrap();
    assert_eq!(home.config_dir(), Path::new("/home/u/.config/belfry"));
    assert_eq!(home.state_dir(), Path::new("/st/belfry"));
    assert_eq!(home.keeper_socket("r"), Path::new("/run/user/7/belfry/keepers/r.sock"));
    assert!(matches!(Home::from_vars(vars(&[])), Err(HomeError::NoHome)));
}

#[test]
fn prepared_directories_are_private() {
    let temp = Temp::new("prepare");
    let home = Home::at(temp.0.join("a b/ö"));
    home.prepare().unwrap();
    for dir in [home.config_dir(), home.runtime_dir(), &home.keepers_dir()] {
        assert_eq!(std::fs::metadata(dir).unwrap().permissions().mode() & 0o777, 0o700, "{dir:?}");
    }
    let run = home.create_run("s", "r", false).unwrap();
    assert!(run.journal().is_dir());
}

#[test]
fn a_link_a_stranger_and_an_open_door_are_refused() {
    let temp = Temp::new("refuse");
    let real = temp.0.join("real");
    create_private(&real).unwrap();
    let link = temp.0.join("link");
    symlink(&real, &link).unwrap();
    assert!(matches!(open_private(&link), Err(DirectoryError::NotADirectory { .. })));

    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o755)).unwrap();
    open_private(&real).unwrap();
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o700, "tightened");

    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o770)).unwrap();
    assert!(matches!(open_private(&real), Err(DirectoryError::Writable { .. })));

    if rustix::process::geteuid().is_root() {
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::chown(&real, Some(12345), None).unwrap();
        assert!(matches!(open_private(&real), Err(DirectoryError::NotOurs { .. })));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_private_run_is_memory_backed() {
    let temp = Temp::new("private");
    let home = Home::at(&temp.0);
    let run = home.create_run("s", "r", true).unwrap();
    let fd = open_private(run.path()).unwrap();
    assert!(crate::directory::is_memory_backed(&fd), "{:?}", run.path());
    std::fs::remove_dir_all(home.private_dir().unwrap()).unwrap();
}
