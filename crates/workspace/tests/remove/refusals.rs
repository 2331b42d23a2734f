//! What is never removed, whatever the person says.
