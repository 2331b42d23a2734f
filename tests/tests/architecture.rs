//! The shape of the code: who may depend on whom, how large a file may be, what may not be written where.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every arrow between our crates. A new one is a decision: it belongs into ARCHITECTURE.md too.
const ARROWS: &[(&str, &[&str])] = &[
    ("belfry-platform", &[]),
    ("belfry-protocol", &[]),
    ("belfry-journal", &[]),
    ("belfry-terminal", &[]),
    ("belfry-tmux", &[]),
    ("belfry-agents", &["belfry-protocol"]),
    ("belfry-status", &["belfry-protocol"]),
    ("belfry-store", &["belfry-protocol"]),
    ("belfry-transcripts", &["belfry-agents", "belfry-protocol"]),
    ("belfry-index", &["belfry-protocol", "belfry-transcripts"]),
    ("belfry-workspace", &["belfry-protocol"]),
    ("belfry-keeper", &["belfry-journal", "belfry-platform", "belfry-protocol"]),
    ("belfry-client", &["belfry-platform", "belfry-protocol"]),
    (
        "belfry-daemon",
        &[
            "belfry-agents",
            "belfry-client",
            "belfry-index",
            "belfry-journal",
            "belfry-platform",
            "belfry-protocol",
            "belfry-status",
            "belfry-store",
            "belfry-terminal",
            "belfry-tmux",
            "belfry-transcripts",
            "belfry-workspace",
        ],
    ),
    (
        "belfry",
        &[
            "belfry-client",
            "belfry-daemon",
            "belfry-journal",
            "belfry-platform",
            "belfry-protocol",
            "belfry-terminal",
            "belfry-tmux",
        ],
    ),
    ("belfry-desktop", &["belfry-client", "belfry-platform", "belfry-protocol"]),
];

/// What only some of our crates may use of others' crates: the rest must stay free of it.
const RESERVED: &[(&str, &[&str])] = &[
    ("tauri", &["belfry-desktop"]),
    ("rusqlite", &["belfry-store", "belfry-index", "belfry-transcripts"]),
    ("alacritty_terminal", &["belfry-terminal"]),
    ("portable-pty", &["belfry-keeper"]),
    ("axum", &["belfry"]),
    // The store only for its channels, which the daemon awaits.
    ("tokio", &["belfry", "belfry-client", "belfry-daemon", "belfry-desktop", "belfry-store"]),
];

/// Tooling and tests, which nothing depends on, may use anything.
const FREE: &[&str] = &["belfry-tests", "xtask"];

/// `unwrap` and `expect` outside tests that were looked at, by file. Each can only fail by a fault of our own.
const REVIEWED_UNWRAPS: &[(&str, usize)] = &[
    // A test in a file of its own.
    ("crates/protocol/src/typescript.rs", 3),
];

/// Lines that no file may have more of.
const LONGEST: usize = 1000;
/// Lines that only this share of the files may have more of.
const LONG: (usize, f64) = (500, 0.08);
/// Lines that half of the files stay under.
const MEDIAN: usize = 150;

#[test]
fn dependencies_follow_the_arrows() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(vec!["--offline".to_owned()])
        .exec()
        .expect("cargo metadata");
    let allowed: BTreeMap<_, _> = ARROWS.iter().copied().collect();
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        if FREE.contains(&name) {
            continue;
        }
        let Some(may) = allowed.get(name) else {
            wrong.push(format!("{name} is in no arrow"));
            continue;
        };
        for dependency in &package.dependencies {
            if dependency.kind == cargo_metadata::DependencyKind::Development {
                continue;
            }
            let other = dependency.name.as_str();
            if (allowed.contains_key(other) || FREE.contains(&other)) && !may.contains(&other) {
                wrong.push(format!("{name} must not depend on {other}"));
            }
            let reserved = RESERVED.iter().find(|(reserved, _)| *reserved == other);
            if reserved.is_some_and(|(_, users)| !users.contains(&name)) {
                wrong.push(format!("{name} must not use {other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_are_small() {
    let mut lengths: Vec<_> = sources(&["rs", "ts", "svelte", "css"])
        .into_iter()
        .filter(|file| !is_generated(file))
        .map(|file| (read(&file).lines().count(), file))
        .collect();
    lengths.sort();
    let (longest, file) = lengths.last().expect("at least this file");
    assert!(*longest <= LONGEST, "{} has {longest} lines", file.display());
    let (long, share) = LONG;
    let longer: Vec<_> = lengths.iter().filter(|(length, _)| *length > long).collect();
    assert!(
        longer.len() as f64 <= share * lengths.len() as f64,
        "{} of {} files have more than {long} lines: {longer:#?}",
        longer.len(),
        lengths.len()
    );
    let (median, _) = lengths[lengths.len() / 2];
    assert!(median < MEDIAN, "half of the files have {median} lines or more");
}

#[test]
fn no_unreviewed_unwraps() {
    let reviewed: BTreeMap<_, _> = REVIEWED_UNWRAPS.iter().copied().collect();
    let mut wrong = Vec::new();
    for file in sources(&["rs"]) {
        let relative = relative(&file);
        let product = relative.starts_with("crates/") || relative.starts_with("src-tauri/");
        if !product || is_test(&relative) {
            continue;
        }
        let text = read(&file);
        // Unit tests are the last thing in a file.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let found: usize =
            code.map(|line| line.matches(".unwrap()").count() + line.matches(".expect(").count()).sum();
        let expected = reviewed.get(relative.as_str()).copied().unwrap_or(0);
        if expected != found {
            wrong.push(format!("{relative}: {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "unwrap and expect outside tests: {wrong:#?}");
}

#[test]
fn only_one_file_knows_tauri() {
    let knowing: Vec<_> = sources(&["ts", "svelte"])
        .into_iter()
        .filter(|file| read(file).contains("@tauri-apps/"))
        .map(|file| relative(&file))
        .collect();
    assert_eq!(knowing, ["ui/src/lib/client/tauri.ts"]);
}

#[test]
fn the_page_makes_no_markup_from_text() {
    for file in sources(&["ts", "svelte"]) {
        let text = read(&file);
        for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "{@html", "document.write", "eval("] {
            assert!(is_test(&relative(&file)) || !text.contains(way), "{}: {way}", file.display());
        }
    }
}

#[test]
fn names_say_what_things_are() {
    let vague = ["Manager", "Helper", "Helpers", "Util", "Utils", "Service", "Processor"];
    let mut wrong = Vec::new();
    for file in sources(&["rs", "ts"]) {
        for line in read(&file).lines() {
            let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            for pair in words.windows(2) {
                let declares = ["struct", "enum", "trait", "class", "interface"].contains(&pair[0]);
                if declares && vague.iter().any(|word| pair[1].ends_with(word)) {
                    wrong.push(format!("{}: {}", relative(&file), pair[1]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn architecture_names_every_crate() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let missing: BTreeSet<_> = fs::read_dir(root().join("crates"))
        .expect("crates")
        .flatten()
        .map(|entry| format!("crates/{}", entry.file_name().display()))
        .filter(|name| !text.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in ARCHITECTURE.md: {missing:?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout").to_owned()
}

fn relative(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn is_generated(file: &Path) -> bool {
    let head = read(file);
    let head = head.lines().next().unwrap_or_default().to_lowercase();
    head.contains("generated")
}

fn is_test(relative: &str) -> bool {
    relative.split('/').any(|part| part == "tests" || part == "benches" || part == "fuzz")
        || ["tests.rs", "_test.rs", ".test.ts"].iter().any(|end| relative.ends_with(end))
}

/// All files of the checkout with one of these extensions, without what is built or fetched.
fn sources(extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![root()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of the checkout").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            if path.is_dir() {
                let foreign =
                    ["target", "node_modules", "gen"].contains(&name) || name.starts_with(['.', '_']);
                let built = name.starts_with("dist") || name == "corpus";
                if !foreign && !built {
                    directories.push(path);
                }
            } else if path
                .extension()
                .and_then(|end| end.to_str())
                .is_some_and(|end| extensions.contains(&end))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
