//! What is changed in real repositories, and changing it, with the git of this machine.

mod checkpoints;
mod commits;
mod files;
mod hostile;
mod lines;
mod looks;
mod place;
mod stages;
mod syncs;
