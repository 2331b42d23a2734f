//! Ways to lose work when a workspace goes, and that none of them does: each by a case of its own, with real repositories.
//!
//! A case is two shell scripts: one does the work, the other says whether it can still be had. Each must say so before, must say
//! no after what a careless tool does (`rm -rf`, `git worktree prune`, `git gc`), and must say yes after the workspace was removed
//! here and brought back: on the same day, when everything has to be byte for byte as it was, and after the day.

#[path = "remove/cases.rs"]
mod cases;
#[path = "remove/fixture.rs"]
mod fixture;
#[path = "remove/life.rs"]
mod life;
#[path = "remove/lost.rs"]
mod lost;
#[path = "remove/refusals.rs"]
mod refusals;
