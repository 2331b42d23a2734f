//! Keeps the committed TypeScript types equal to the Rust ones.
//!
//! Running the tests with feature `ts` and `BELFRY_WRITE_TS=1` writes `ui/src/lib/client/generated/protocol.ts`;
//! without it, the test fails where the file differs.

use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::recording::RecordingLine;
use crate::{ClientMessage, DaemonMessage};

struct Declarations {
    config: Config,
    seen: std::collections::BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            T::visit_generics(self);
            return;
        }
        let name = T::ident(&self.config);
        if self.seen.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.seen.insert(name, format!("{docs}export {}\n", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}

#[test]
fn committed_typescript_is_current() {
    let mut declarations = Declarations {
        config: Config::default().with_large_int("number"),
        seen: std::collections::BTreeMap::default(),
    };
    declarations.visit::<ClientMessage>();
    declarations.visit::<DaemonMessage>();
    // Inside of blobs, where no message names it.
    declarations.visit::<RecordingLine>();
    let body: Vec<&str> = declarations.seen.values().map(String::as_str).collect();
    let text =
        format!("// Generated from crates/protocol by `cargo xtask ts`. Do not edit.\n\n{}", body.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/lib/client/generated/protocol.ts");
    if std::env::var_os("BELFRY_WRITE_TS").is_some() {
        std::fs::create_dir_all(path.parent().expect("the file has a directory"))
            .expect("make the directory");
        std::fs::write(&path, &text).expect("write the types");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    // Not both texts: each is as long as the whole protocol.
    assert!(committed == text, "run `cargo xtask ts` and commit {}", path.display());
}
