//! Completion of sessions and choices, in the shells themselves where they are on this machine.

use std::ffi::OsStr;
use std::process::Command;
use std::time::{Duration, Instant};

use belfry_protocol::Reply;
use belfry_tests::cli::fake::{FakeDaemon, asking};
use belfry_tests::cli::{Belfry, Hung, Outer, eventually};
use ntest::timeout;

/// A name that a shell would take apart, and one that would do harm.
const NAMES: [&str; 3] = ["fix the login", "it's $(touch harm) `touch harm` \"q\" & ; *", "a:b=c"];

/// What bash offers for a line with the cursor at its end, as it puts it there.
fn bash(belfry: &Belfry, line: &str) -> Vec<String> {
    let script = belfry.run(&["completions", "bash"]).ok().stdout;
    let file = belfry.write("completions.bash", &script);
    let ask = "source \"$1\"; COMP_LINE=$2; COMP_POINT=${#2}; COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'
        read -ra COMP_WORDS <<< \"$2\"; [[ $2 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _belfry_complete belfry \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", ask, "bash"])
        .arg(file)
        .arg(line)
        .env_clear()
        .envs(belfry.environment())
        .env("PATH", path())
        .current_dir(belfry.home())
        .output()
        .expect("bash");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The programs under test first.
fn path() -> String {
    let own = Belfry::program("belfry");
    let folder = own.parent().expect("a folder").display();
    format!("{folder}:{}", std::env::var("PATH").expect("a PATH"))
}

#[test]
#[timeout(60000)]
fn bash_offers_sessions_so_that_they_mean_themselves() {
    let belfry = Belfry::new();
    let ids: Vec<String> = NAMES.iter().map(|name| belfry.shell(&["--name", name], &["cat"])).collect();
    let mut offered = bash(&belfry, "belfry show ");
    assert_eq!(offered.len(), 3, "{offered:?}");
    assert_eq!(bash(&belfry, "belfry show fi"), [r"fix\ the\ login"]);
    assert_eq!(bash(&belfry, "belfry show 'fix th"), ["fix the login"]);
    assert_eq!(bash(&belfry, "belfry show a:"), ["b=c"], "the shell keeps what is before the colon");
    assert_eq!(bash(&belfry, &format!("belfry kill {}", &ids[2][..30])).len(), 1);
    // What is put into the line is the name again, and nothing else.
    offered.push(bash(&belfry, "belfry --json show it").remove(0));
    for word in offered {
        let echoed = Command::new("bash")
            .args(["-c", &format!("printf %s {word}")])
            .current_dir(belfry.home())
            .output()
            .unwrap();
        let name = String::from_utf8(echoed.stdout).unwrap();
        assert!(NAMES.contains(&name.as_str()), "{word} means {name}");
        assert!(!belfry.home().join("harm").exists(), "{word} runs something");
    }
    assert_eq!(
        bash(&belfry, "belfry restart "),
        Vec::<String>::new(),
        "none is dead, and no file is a session"
    );
    assert!(bash(&belfry, "belfry sh").contains(&"show".to_owned()), "the grammar's own");
    assert!(bash(&belfry, "belfry screen x --").contains(&"--ansi".to_owned()));
}

#[test]
#[timeout(60000)]
fn choices_are_offered_where_something_is_asked() {
    let belfry = Belfry::new();
    FakeDaemon::start(&belfry, |request| match request {
        belfry_protocol::Request::ListSessions { after: None, .. } => {
            Ok(Reply::Sessions(vec![asking("shop")]))
        }
        _ => Ok(Reply::Sessions(Vec::new())),
    });
    assert_eq!(bash(&belfry, "belfry answer "), ["shop"]);
    assert_eq!(bash(&belfry, "belfry answer shop "), ["1", "2"]);
    let zsh = belfry.run(&["complete", "zsh", "--", "belfry", "answer", "shop", ""]).ok().stdout;
    assert_eq!(zsh, ":\n1\tYes\n2\tNo, and tell it what to do\n");
}

#[test]
#[timeout(60000)]
fn a_tab_starts_nothing_and_waits_for_nobody() {
    let belfry = Belfry::new();
    assert_eq!(bash(&belfry, "belfry show "), Vec::<String>::new());
    belfry.run(&["daemon", "status"]).exits(5);
    belfry.shell(&["--name", "one"], &["cat"]);
    let daemon = Hung::new(&belfry);
    let began = Instant::now();
    let offered = bash(&belfry, "belfry show ");
    let took = began.elapsed();
    drop(daemon);
    assert_eq!(offered, Vec::<String>::new());
    // The daemon itself would be waited for ten seconds.
    assert!(took < Duration::from_secs(8), "{took:?}");
}

/// Types into a shell that has the completions, and waits for what it makes of it.
fn typed(belfry: &Belfry, program: &str, arguments: &[&str], rounds: &[(&[u8], &str)]) {
    let env = [("PATH", path()), ("PS1", "$ ".to_owned())];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let outer = Outer::run_program(belfry, OsStr::new(program), (100, 24), arguments, &env);
    outer.until("ready");
    for (keys, shown) in rounds {
        outer.type_bytes(keys);
        outer.until(shown);
    }
}

fn is_here(program: &str) -> bool {
    let here = Command::new(program).arg("--version").output().is_ok();
    if !here {
        eprintln!("{program} is not on this machine: not tried");
    }
    here
}

#[test]
#[timeout(60000)]
fn a_tab_in_bash_completes_a_name() {
    let belfry = Belfry::new();
    belfry.shell(&["--name", NAMES[0]], &["cat"]);
    let script = belfry.run(&["completions", "bash"]).ok().stdout;
    belfry.write("completions.bash", &script);
    let start = belfry.write(".bashrc", "PS1='$ '; source completions.bash; echo ready\n");
    let arguments = ["--noprofile", "--rcfile", start.to_str().unwrap(), "-i"];
    let rounds: [(&[u8], &str); 3] = [
        (b"belfry show fi\t", r"$ belfry show fix\ the\ login"),
        (b"\r", "directory"),
        (b"clear\rbelfry show 'fix\t", "$ belfry show 'fix the login'"),
    ];
    typed(&belfry, "bash", &arguments, &rounds);
}

#[test]
#[timeout(60000)]
fn a_tab_in_zsh_completes_a_name() {
    if !is_here("zsh") {
        return;
    }
    let belfry = Belfry::new();
    belfry.shell(&["--name", NAMES[0]], &["cat"]);
    let script = belfry.run(&["completions", "zsh"]).ok().stdout;
    std::fs::create_dir(belfry.home().join("functions")).unwrap();
    belfry.write("functions/_belfry", &script);
    let start = "PS1='$ '; fpath=(~/functions $fpath); autoload -U compinit; compinit -u; echo ready\n";
    belfry.write(".zshrc", start);
    let rounds: [(&[u8], &str); 3] = [
        (b"belfry show fi\t", r"$ belfry show fix\ the\ login"),
        (b"\r", "directory"),
        (b"clear\rbelfry scr\t", "belfry screen"),
    ];
    typed(&belfry, "zsh", &["-i"], &rounds);
}

#[test]
#[timeout(60000)]
fn a_tab_in_fish_completes_a_name() {
    if !is_here("fish") {
        return;
    }
    let belfry = Belfry::new();
    belfry.shell(&["--name", NAMES[0]], &["cat"]);
    let script = belfry.run(&["completions", "fish"]).ok().stdout;
    let folder = belfry.home().join(".config/fish/completions");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("belfry.fish"), script).unwrap();
    let start = "function fish_prompt; echo '$ '; end; function fish_greeting; echo ready; end\n";
    belfry.write(".config/fish/config.fish", start);
    let rounds: [(&[u8], &str); 2] =
        [(b"belfry show fi\t", r"belfry show fix\ the\ login"), (b"\r", "directory")];
    typed(&belfry, "fish", &["-i"], &rounds);
}

#[test]
#[timeout(60000)]
fn an_unfinished_line_is_no_fault() {
    let belfry = Belfry::new();
    belfry.shell(&["--name", "one"], &["cat"]);
    for words in [
        &["bash"][..],
        &["bash", "--", "belfry show \"", "13", ""],
        &["bash", "--", "belfry show é", "13", ""],
        &["bash", "--", "belfry show x", "999", ""],
        &["bash", "--", "", "0", ""],
        &["zsh", "--"],
        &["zsh", "--", "belfry"],
        &["fish", "--", "belfry", "show", "'o"],
    ] {
        belfry.run(&[&["complete"], words].concat()).ok();
    }
    eventually("it is still there", || belfry.show("one")["name"] == "one");
}
