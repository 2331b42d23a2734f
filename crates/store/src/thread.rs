//! The thread that owns the database.
//!
//! A commit waits for the disk, which takes milliseconds. Whatever waits when the thread is free is therefore done in one
//! transaction with one wait for the disk, each piece of work undone alone where it fails. Nobody gets an answer before the
//! disk has it.

use std::io;
use std::thread::JoinHandle;

use tokio::sync::{mpsc, oneshot};

use crate::{Result, Store, StoreError};

/// Pieces of work that can wait before callers do.
const WAITING: usize = 1024;

/// Most pieces of work in one transaction.
const TOGETHER: usize = 128;

/// Done work: the answer, to be sent when it is known whether the disk has it.
type Answer = Box<dyn FnOnce(Result<()>) + Send>;
type Work = Box<dyn FnOnce(&mut Store) -> Answer + Send>;

/// The running thread. Dropping it without [`StoreThread::stop`] lets the thread go on until all handles are gone.
#[derive(Debug)]
pub struct StoreThread {
    handle: StoreHandle,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<Result<()>>,
}

/// Gives work to the thread; cheap to clone.
#[derive(Clone, Debug)]
pub struct StoreHandle {
    work: mpsc::Sender<Work>,
}

impl StoreThread {
    /// Starts the thread.
    pub fn start(store: Store) -> io::Result<Self> {
        let (work, waiting) = mpsc::channel(WAITING);
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || serve(store, waiting, stopped))?;
        Ok(Self { handle: StoreHandle { work }, stop, thread })
    }

    /// A handle for giving it work.
    pub fn handle(&self) -> StoreHandle {
        self.handle.clone()
    }

    /// Does what waits, marks a clean end and closes the database. Blocks. Handles that are left fail from then on.
    pub fn stop(self) -> Result<()> {
        let _ = self.stop.send(());
        // Wakes the thread where it waits for work.
        let _ = self.handle.work.blocking_send(Box::new(|_| Box::new(|_| ())));
        drop(self.handle);
        self.thread.join().unwrap_or(Err(StoreError::Closed))
    }
}

impl StoreHandle {
    /// Has work done and waits for the outcome. All of it is kept or, where it fails, none. Work is done in the order in
    /// which it is given. Where the caller is dropped while it waits, the work is done all the same.
    pub async fn call<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Store) -> Result<T> + Send + 'static,
    {
        let (work, answer) = pair(work);
        self.work.send(work).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Gives work whose outcome is told to `done`, on the store's thread, without waiting. An error where too much waits
    /// already or the thread has ended; the work is not done then.
    pub fn post<F, D>(&self, work: F, done: D) -> Result<()>
    where
        F: FnOnce(&mut Store) -> Result<()> + Send + 'static,
        D: FnOnce(Result<()>) + Send + 'static,
    {
        let work: Work = Box::new(move |store| {
            let outcome = store.apart(work);
            Box::new(move |kept: Result<()>| done(outcome.and(kept)))
        });
        self.work.try_send(work).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })
    }
}

fn pair<T, F>(work: F) -> (Work, oneshot::Receiver<Result<T>>)
where
    T: Send + 'static,
    F: FnOnce(&mut Store) -> Result<T> + Send + 'static,
{
    let (send, receive) = oneshot::channel();
    let work: Work = Box::new(move |store| {
        let outcome = store.apart(work);
        Box::new(move |kept: Result<()>| {
            let _ = send.send(outcome.and_then(|value| kept.map(|()| value)));
        })
    });
    (work, receive)
}

fn serve(
    mut store: Store,
    mut waiting: mpsc::Receiver<Work>,
    mut stopped: oneshot::Receiver<()>,
) -> Result<()> {
    while let Some(first) = waiting.blocking_recv() {
        let mut together = vec![first];
        while together.len() < TOGETHER
            && let Ok(next) = waiting.try_recv()
        {
            together.push(next);
        }
        store.together(together);
        if stopped.try_recv().is_ok() {
            waiting.close();
        }
    }
    store.close()
}

impl Store {
    /// Work whose changes are undone where it fails, also where it panics: nothing half done is kept.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.connection.execute_batch("SAVEPOINT apart")?;
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(self)));
        let outcome = outcome.unwrap_or_else(|_| {
            tracing::error!("work on the database panicked and was undone");
            Err(StoreError::Closed)
        });
        match outcome {
            Ok(value) => {
                self.connection.execute_batch("RELEASE apart")?;
                Ok(value)
            }
            Err(error) => {
                self.undo("apart");
                Err(error)
            }
        }
    }

    fn together(&mut self, works: Vec<Work>) {
        let mut answers: Vec<(Answer, Result<()>)> = Vec::new();
        // Where the open transaction's answers begin.
        let mut begun = None;
        for work in works {
            if self.connection.is_autocommit() {
                mark_undone(&mut answers, begun);
                begun = match self.connection.execute_batch("BEGIN IMMEDIATE") {
                    Ok(()) => Some(answers.len()),
                    Err(error) => {
                        // Reads may work all the same, so it is tried by itself.
                        tracing::warn!(%error, "no transaction could be begun");
                        None
                    }
                };
            }
            let before = self.connection.total_changes();
            let answer = work(self);
            if self.connection.total_changes() == before {
                // It only read: it waits for nothing, and a disk that is full does not make it fail.
                answer(Ok(()));
            } else {
                answers.push((answer, Ok(())));
            }
        }
        let kept = if self.connection.is_autocommit() {
            mark_undone(&mut answers, begun);
            Ok(())
        } else {
            self.connection.execute_batch("COMMIT").map_err(StoreError::from).inspect_err(|_| {
                let _ = self.connection.execute_batch("ROLLBACK");
            })
        };
        for (answer, so_far) in answers {
            answer(so_far.and_then(|()| kept.as_ref().map_or_else(|error| Err(error.again()), |()| Ok(()))));
        }
    }
}

/// SQLite has undone the transaction by itself, as it does on some errors: what was done in it is not kept.
fn mark_undone(answers: &mut [(Answer, Result<()>)], begun: Option<usize>) {
    for (_, kept) in answers.iter_mut().skip(begun.unwrap_or(usize::MAX)) {
        *kept = Err(StoreError::DiskFull);
    }
}
