//! Opening links outside. What a terminal prints is hostile, so only three schemes pass, and the program that opens
//! them gets the link as one argument, never through a shell.

use std::process::{Command, Stdio};

use tauri::Url;

use crate::refusal::{Code, Refusal};

/// `file:`, `smb:`, `ssh:`, `vscode:` and the rest have each run code somewhere; none of them is opened from text.
const SCHEMES: &[&str] = &["http", "https", "mailto"];

/// Longer ones are refused: no real page needs more, and desktops cut or choke on them. 2,048 is the common floor.
const LONGEST: usize = 2048;

/// Opens a link in the person's browser or mail program.
#[tauri::command]
pub(crate) fn open_link(url: &str) -> Result<(), Refusal> {
    let link = checked(url)?;
    let mut opener = opener(link.as_str());
    let mut child =
        opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|error| {
            Refusal::new(Code::Desktop, format!("The link could not be opened: {error}."))
        })?;
    // The opener can live as long as the browser it starts, and must not stay behind as a zombie.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// The link in its normal form, if it is of a kind that is opened.
fn checked(url: &str) -> Result<Url, Refusal> {
    let refused = |why: &str| Refusal::new(Code::LinkRefused, why);
    if url.len() > LONGEST {
        return Err(refused("The link is too long to be opened."));
    }
    if url.chars().any(char::is_control) {
        return Err(refused("The link contains control characters."));
    }
    let link = Url::parse(url).map_err(|_| refused("That is not a complete link."))?;
    if !SCHEMES.contains(&link.scheme()) {
        return Err(refused("Only http, https and mailto links are opened."));
    }
    if !link.username().is_empty() || link.password().is_some() {
        // `https://bank.example@evil.example` shows one host and opens another.
        return Err(refused("Links that carry a user name or password are not opened."));
    }
    Ok(link)
}

/// The desktop's own way to open a link. The parsed form starts with a scheme, so it can never be taken for an option.
fn opener(link: &str) -> Command {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(link);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_web_and_mail() {
        for link in ["https://example.org/a?b=c#d", "http://localhost:3000/", "mailto:someone@example.org"] {
            assert!(checked(link).is_ok(), "{link}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        let long = format!("https://example.org/{}", "a".repeat(LONGEST));
        for link in [
            "file:///etc/passwd",
            "smb://host/share",
            "ssh://-oProxyCommand=x",
            "vscode://file/x",
            "javascript:alert(1)",
            "x-man-page://ls",
            "data:text/html,x",
            "https://bank.example@evil.example/",
            "https://example.org/\u{1b}[0m",
            "https://example.org/\nhttps://evil.example",
            "/etc/passwd",
            "-oProxyCommand=x",
            "",
            &long,
        ] {
            assert_eq!(checked(link).map_err(|refusal| refusal.code), Err(Code::LinkRefused), "{link}");
        }
    }

    #[test]
    fn passes_the_link_as_one_argument() {
        let link = checked("https://example.org/a b;$(touch x)").expect("a web link");
        let command = opener(link.as_str());
        let last = command.get_args().last().expect("the link").to_string_lossy().into_owned();
        assert_eq!(last, "https://example.org/a%20b;$(touch%20x)");
    }
}
