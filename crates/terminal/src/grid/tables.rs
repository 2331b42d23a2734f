//! What few cells have: several code points, a link, an underline colour. Each distinct value is kept once.

use std::collections::HashMap;

use super::cell::{CLUSTER, Cell, Color};

/// Code points in one cell beyond which further ones are dropped (here and in views): the longest real sequence, a
/// family emoji with skin tones, has 10.
pub(crate) const MAX_CLUSTER: usize = 32;
/// Longest link target kept; browsers refuse longer ones.
pub(crate) const MAX_URI: usize = 8 * 1024;
/// Entries and bytes after which values that no cell uses any more are looked for.
const SWEEP_ENTRIES: usize = 32 * 1024;
const SWEEP_BYTES: usize = 2 * 1024 * 1024;

/// A hyperlink (OSC 8).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) id: String,
    pub(crate) uri: String,
}

/// Rare attributes of a cell; `link` is an index, 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Extra {
    pub(crate) underline: Color,
    pub(crate) link: u16,
}

/// All rare values of one terminal. Index 0 of each list stands for nothing.
#[derive(Debug)]
pub(crate) struct Tables {
    clusters: Vec<Box<str>>,
    cluster_index: HashMap<Box<str>, u32>,
    extras: Vec<Extra>,
    extra_index: HashMap<Extra, u16>,
    links: Vec<Link>,
    link_index: HashMap<Link, u16>,
    bytes: usize,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            clusters: vec!["".into()],
            cluster_index: HashMap::new(),
            extras: vec![Extra::default()],
            extra_index: HashMap::new(),
            links: vec![Link { id: String::new(), uri: String::new() }],
            link_index: HashMap::new(),
            bytes: 0,
        }
    }
}

impl Tables {
    /// The index to put into a cell's `ch`, or `None` when the table is full.
    pub(crate) fn cluster(&mut self, text: &str) -> Option<u32> {
        if let Some(&at) = self.cluster_index.get(text) {
            return Some(at | CLUSTER);
        }
        if self.clusters.len() >= 2 * SWEEP_ENTRIES {
            return None;
        }
        let at = self.clusters.len() as u32;
        self.clusters.push(text.into());
        self.cluster_index.insert(text.into(), at);
        self.bytes += 2 * text.len();
        Some(at | CLUSTER)
    }

    /// Index of these attributes; 0 when there are none or the table is full.
    pub(crate) fn extra(&mut self, extra: Extra) -> u16 {
        if extra == Extra::default() {
            return 0;
        }
        if let Some(&at) = self.extra_index.get(&extra) {
            return at;
        }
        let Ok(at) = u16::try_from(self.extras.len()) else { return 0 };
        self.extras.push(extra);
        self.extra_index.insert(extra, at);
        at
    }

    /// Index of a link; 0 when the table is full.
    pub(crate) fn link(&mut self, id: &str, uri: &str) -> u16 {
        let link = Link { id: id.to_owned(), uri: uri.to_owned() };
        if let Some(&at) = self.link_index.get(&link) {
            return at;
        }
        let Ok(at) = u16::try_from(self.links.len()) else { return 0 };
        if self.bytes > 4 * SWEEP_BYTES {
            return 0;
        }
        self.bytes += 2 * (id.len() + uri.len());
        self.links.push(link.clone());
        self.link_index.insert(link, at);
        at
    }

    pub(crate) fn get_extra(&self, index: u16) -> Extra {
        self.extras.get(usize::from(index)).copied().unwrap_or_default()
    }

    pub(crate) fn get_link(&self, index: u16) -> Option<&Link> {
        if index == 0 { None } else { self.links.get(usize::from(index)) }
    }

    /// Adds a cell's text.
    pub(crate) fn push_text(&self, cell: &Cell, out: &mut String) {
        if cell.ch & CLUSTER != 0 {
            out.push_str(self.clusters.get((cell.ch & !CLUSTER) as usize).map_or(" ", |s| s));
        } else {
            out.push(if cell.ch == 0 { ' ' } else { char::from_u32(cell.ch).unwrap_or(' ') });
        }
    }

    /// All values, for storage.
    pub(crate) fn parts(&self) -> (&[Box<str>], &[Extra], &[Link]) {
        (&self.clusters, &self.extras, &self.links)
    }

    /// Tables with these values in this order, so that cells' indices stay right.
    pub(crate) fn from_parts(clusters: Vec<Box<str>>, extras: Vec<Extra>, links: Vec<Link>) -> Self {
        let mut tables = Self::default();
        for text in clusters.into_iter().skip(1) {
            tables.cluster(&text);
        }
        for link in links.into_iter().skip(1) {
            tables.link(&link.id, &link.uri);
        }
        for extra in extras.into_iter().skip(1) {
            tables.extra(extra);
        }
        tables
    }

    /// Whether it is time for [`sweep`](Self::sweep).
    pub(crate) fn is_crowded(&self) -> bool {
        self.clusters.len() > SWEEP_ENTRIES
            || self.extras.len() > SWEEP_ENTRIES
            || self.links.len() > SWEEP_ENTRIES
            || self.bytes > SWEEP_BYTES
    }

    /// Drops what no cell refers to. `each` must call its argument on every cell there is.
    pub(crate) fn sweep(&mut self, each: impl FnOnce(&mut dyn FnMut(&mut u32, &mut u16))) {
        let old = std::mem::take(self);
        each(&mut |ch, ext| {
            if *ch & CLUSTER != 0 {
                let text = old.clusters.get((*ch & !CLUSTER) as usize).map_or(" ", |s| s);
                *ch = self.cluster(text).unwrap_or(u32::from(b' '));
            }
            if *ext != 0 {
                let mut extra = old.get_extra(*ext);
                extra.link = old.get_link(extra.link).map_or(0, |l| self.link(&l.id, &l.uri));
                *ext = self.extra(extra);
            }
        });
    }
}
