//! Reading conversations: made-up ones with what is odd in them, in any pieces, cut anywhere, rewritten.

mod corpus;
mod hostile;
mod pieces;
mod rows;
mod support;
