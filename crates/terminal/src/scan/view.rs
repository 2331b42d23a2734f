//! Collects what views get, without copying while nothing is taken out.

use std::borrow::Cow;

/// Output for views, made from one piece of input.
#[derive(Debug)]
pub(crate) struct ViewWriter<'a> {
    input: &'a [u8],
    /// Part of the input that has been kept, while nothing else was put out.
    kept: std::ops::Range<usize>,
    /// Used from the moment on that the output is not one part of the input.
    copied: Option<Vec<u8>>,
}

impl<'a> ViewWriter<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self { input, kept: 0..0, copied: None }
    }

    /// Keeps a part of the input.
    #[inline]
    pub(crate) fn keep(&mut self, start: usize, end: usize) {
        if let Some(copied) = &mut self.copied {
            copied.extend_from_slice(&self.input[start..end]);
        } else if self.kept.end == start && !self.kept.is_empty() {
            self.kept.end = end;
        } else if self.kept.is_empty() {
            self.kept = start..end;
        } else {
            let input = self.input;
            self.push(&input[start..end]);
        }
    }

    /// Puts something out that is not in the input.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.copied
            .get_or_insert_with(|| {
                let mut copied = Vec::with_capacity(self.input.len() + bytes.len());
                copied.extend_from_slice(&self.input[self.kept.clone()]);
                copied
            })
            .extend_from_slice(bytes);
    }

    pub(crate) fn finish(self) -> Cow<'a, [u8]> {
        match self.copied {
            Some(copied) => Cow::Owned(copied),
            None => Cow::Borrowed(&self.input[self.kept]),
        }
    }
}
