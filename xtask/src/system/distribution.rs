//! Which system this is.

use super::packages::Purpose;

/// Systems whose packages we can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distribution {
    /// Debian, Ubuntu and what says that it is like them.
    Debian,
    /// Fedora and its kin.
    Fedora,
    /// Arch and its kin.
    Arch,
    /// macOS.
    Mac,
    /// Anything else.
    Other,
}

impl Distribution {
    /// Read off `/etc/os-release`.
    pub(crate) fn of_this_machine() -> Self {
        if cfg!(target_os = "macos") {
            return Self::Mac;
        }
        std::fs::read_to_string("/etc/os-release").map_or(Self::Other, |release| Self::of_release(&release))
    }

    fn of_release(release: &str) -> Self {
        let ids = release.lines().filter_map(|line| {
            let (key, value) = line.split_once('=')?;
            matches!(key, "ID" | "ID_LIKE").then(|| value.trim_matches('"'))
        });
        for id in ids.flat_map(str::split_whitespace) {
            match id {
                "debian" | "ubuntu" => return Self::Debian,
                "fedora" | "rhel" => return Self::Fedora,
                "arch" => return Self::Arch,
                _ => {}
            }
        }
        Self::Other
    }

    /// What to type to install these packages.
    pub(crate) fn advice(self, packages: &[&str], purpose: Purpose) -> String {
        let list = packages.join(" ");
        let typed = match self {
            Self::Debian => format!("sudo apt-get install {list}"),
            Self::Fedora => format!("sudo dnf install {list}"),
            Self::Arch => format!("sudo pacman -S --needed {list}"),
            Self::Mac => format!("xcode-select --install; brew install {list}"),
            Self::Other => {
                return format!(
                    "Install your system's packages of these Debian ones ({}): {list}",
                    purpose.shown()
                );
            }
        };
        format!("Install what is needed {}:\n  {typed}", purpose.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_families() {
        for (release, expected) in [
            ("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n", Distribution::Debian),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", Distribution::Debian),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", Distribution::Fedora),
            ("ID=fedora\n", Distribution::Fedora),
            ("ID=manjaro\nID_LIKE=arch\n", Distribution::Arch),
            ("ID=nixos\n", Distribution::Other),
            ("", Distribution::Other),
        ] {
            assert_eq!(Distribution::of_release(release), expected, "{release}");
        }
    }
}
