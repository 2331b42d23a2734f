//! The thread that owns the database.

use std::sync::mpsc;

use belfry_store::{StoreError, StoreThread};

use crate::{open, session, session_id};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ntest::timeout(30000)]
async fn work_is_done_in_order_and_failures_stay_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.db");
    let thread = StoreThread::start(open(&path).store).unwrap();
    let handle = thread.handle();
    let calls: Vec<_> = (0..200_u64)
        .map(|n| {
            let handle = handle.clone();
            tokio::spawn(async move {
                handle
                    .call(move |store| {
                        store.save_session(&session(n))?;
                        // Every third piece of work fails after it has changed something.
                        if n % 3 == 0 { Err(StoreError::NoSuchSession) } else { Ok(n) }
                    })
                    .await
            })
        })
        .collect();
    for (n, call) in (0..).zip(calls) {
        match call.await.unwrap() {
            Ok(answer) => assert!(answer == n && n % 3 != 0),
            Err(error) => assert!(matches!(error, StoreError::NoSuchSession) && n % 3 == 0, "{n}: {error}"),
        }
    }
    let failed = handle.call(|_| -> belfry_store::Result<()> { panic!("on purpose") }).await;
    assert!(matches!(failed, Err(StoreError::Closed)));
    let kept = handle.call(|store| store.sessions()).await.unwrap();
    assert_eq!(kept.len(), 133);
    tokio::task::spawn_blocking(|| thread.stop()).await.unwrap().unwrap();
    assert!(matches!(handle.call(|store| store.sessions()).await, Err(StoreError::Closed)));
    assert_eq!(open(&path).store.sessions().unwrap().len(), 133);
}

#[test]
#[ntest::timeout(30000)]
fn posted_work_tells_its_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let thread = StoreThread::start(open(&folder.path().join("b.db")).store).unwrap();
    let handle = thread.handle();
    let (tell, told) = mpsc::channel();
    for n in 0..10_u64 {
        let tell = tell.clone();
        handle
            .post(
                move |store| {
                    store.save_session(&session(n))?;
                    if n == 4 { Err(StoreError::NoSuchSession) } else { Ok(()) }
                },
                move |outcome| tell.send((n, outcome.is_ok())).unwrap(),
            )
            .unwrap();
    }
    drop(tell);
    assert_eq!(told.iter().take(10).collect::<Vec<_>>(), (0..10).map(|n| (n, n != 4)).collect::<Vec<_>>());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let kept = runtime.block_on(handle.call(|store| store.sessions())).unwrap();
    assert!(kept.len() == 9 && kept.iter().all(|kept| kept.id != session_id(4)));
    thread.stop().unwrap();
}
