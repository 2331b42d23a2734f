//! Counts the git processes that the daemon starts: a program of that name stands before the real one and notes each call.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use belfry_protocol::launch::EnvVar;

/// The program and its notes.
pub(super) struct Counter {
    path: String,
    shell: String,
    notes: PathBuf,
}

impl Counter {
    pub(super) fn install(place: &Path) -> Result<Self> {
        let path = std::env::var("PATH").context("there is no PATH")?;
        let real = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|file| file.is_file());
        let real = real.context("there is no git")?;
        let (bin, notes) = (place.join("bin"), place.join("git-calls"));
        fs::create_dir_all(&bin)?;
        let program = bin.join("git");
        fs::write(
            &program,
            format!("#!/bin/sh\necho \"$*\" >>'{}'\nexec '{}' \"$@\"\n", notes.display(), real.display()),
        )?;
        let path = format!("{}:{path}", bin.display());
        // A login shell's own profile would set the PATH anew.
        let shell = bin.join("shell");
        fs::write(
            &shell,
            format!(
                "#!/bin/sh\nfor last; do :; done\nPATH='{path}'\nexport PATH\nexec /bin/sh -c \"$last\"\n"
            ),
        )?;
        for program in [&program, &shell] {
            fs::set_permissions(program, fs::Permissions::from_mode(0o755))?;
        }
        let counter = Self { path, shell: shell.display().to_string(), notes };
        counter.clear()?;
        Ok(counter)
    }

    /// What has this git found before the real one.
    pub(super) fn variables(&self) -> Vec<EnvVar> {
        let var = |name: &str, value: &str| EnvVar { name: name.to_owned(), value: value.to_owned() };
        vec![var("PATH", &self.path), var("HOME", "/tmp"), var("LANG", "C.UTF-8"), var("SHELL", &self.shell)]
    }

    pub(super) fn clear(&self) -> Result<()> {
        Ok(fs::write(&self.notes, "")?)
    }

    /// Calls since it was cleared.
    pub(super) fn count(&self) -> Result<usize> {
        Ok(fs::read_to_string(&self.notes)?.lines().count())
    }
}
