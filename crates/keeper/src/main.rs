//! keeper
fn main() {}
