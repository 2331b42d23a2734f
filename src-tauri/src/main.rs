//! desktop
fn main() {}
