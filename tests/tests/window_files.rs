//! Files and pictures that a person gives to sessions in the real window: dropped and pasted.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use belfry_tests::window::{Desk, Driven, terminal, until};
use serde_json::json;

/// A small picture.
const PICTURE: &[u8] = include_bytes!("../../icons/32x32.png");

/// A file and a directory with names that a shell has to be kept from.
fn two(desk: &Desk) -> Result<(PathBuf, PathBuf)> {
    let (file, directory) = (desk.home().join("it's a file.txt"), desk.home().join("a directory"));
    std::fs::write(&file, "x")?;
    std::fs::create_dir(&directory)?;
    Ok((file, directory))
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// A shell session whose program writes what is typed into a file, and that file.
async fn listener(desk: &Desk, window: &Driven) -> Result<(String, PathBuf)> {
    let id = window.start_shell(desk, "listener").await?;
    window.enter(&id, "stty -echo -icanon; echo list''ens; cat > typed").await?;
    window.session_shows(&id, "listens").await?;
    Ok((id, desk.home().join("typed")))
}

/// What was typed, once it ends in a blank, as what is given to a session does.
async fn typed(file: &Path) -> Result<String> {
    until("typed path", async || Ok(Some(std::fs::read_to_string(file)?).filter(|text| text.ends_with(' '))))
        .await
}

/// An agent that takes messages, and the selector of its message box.
async fn taker(desk: &Desk, window: &Driven) -> Result<String> {
    let cwd = desk.home().to_string_lossy().into_owned();
    let id = desk.belfry(&["new", "--agent", "asker", "--cwd", &cwd, "--name", "taker", "--", "prompts"])?;
    window.show(id.trim()).await?;
    let field = format!("#message-{}", id.trim());
    window.select(&field).await?;
    Ok(field)
}

async fn draft(window: &Driven, field: &str) -> Result<String> {
    let script = "return document.querySelector(arguments[0]).value";
    let text = until("path in the message box", async || {
        let text = window.eval_with(script, vec![json!(field)]).await?;
        Ok(text.as_str().filter(|text| text.ends_with(' ')).map(str::to_owned))
    });
    text.await
}

/// The one path in a text, unquoted.
fn path(text: &str) -> PathBuf {
    PathBuf::from(text.trim().trim_matches('\''))
}

fn is_picture(path: &Path, home: &Path) -> Result<()> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    ensure!(bytes.starts_with(b"\x89PNG"), "{} is no picture", path.display());
    ensure!(path.starts_with(home), "{} is in the session's own folder", path.display());
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn files_that_are_dropped_on_a_terminal_are_typed_as_their_paths() -> Result<()> {
    let desk = Desk::new("drop-terminal").await?;
    let (file, directory) = two(&desk)?;
    let window = desk.open_driven().await?;
    let (id, typed_into) = listener(&desk, &window).await?;
    let _files = desk.files_to_drag(&[&file, &directory])?;
    desk.drag_files_to(&window, &terminal(&id), "[data-testid=taking-files]").await?;
    assert_eq!(typed(&typed_into).await?, format!("{} {} ", quoted(&file), quoted(&directory)));
    until("end of the sign", async || {
        Ok((window.count("[data-testid=taking-files]").await? == 0).then_some(()))
    })
    .await?;
    desk.screenshot("dropped");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn files_that_are_dropped_on_the_message_box_are_in_the_message() -> Result<()> {
    let desk = Desk::new("drop-message").await?;
    let (file, directory) = two(&desk)?;
    desk.add_asker()?;
    let window = desk.open_driven().await?;
    let field = taker(&desk, &window).await?;
    let _files = desk.files_to_drag(&[&file, &directory])?;
    desk.drag_files_to(&window, &field, "[data-testid=message-box].dropping").await?;
    assert_eq!(draft(&window, &field).await?, format!("{} {} ", quoted(&file), quoted(&directory)));
    desk.screenshot("dropped");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_drop_elsewhere_leaves_the_page_where_it_is() -> Result<()> {
    let desk = Desk::new("drop-elsewhere").await?;
    let (file, _) = two(&desk)?;
    let window = desk.open_driven().await?;
    let here = window.address().await?;
    let _files = desk.files_to_drag(&[&file])?;
    let list = "[data-testid=sidebar]";
    let seen = "window.over = 0; addEventListener('dragover', () => { over += 1; document.body.dataset.over = over })";
    window.eval(seen).await?;
    desk.drag_files_to(&window, list, "[data-over]").await?;
    window.eval_async("setTimeout(arguments[0], 200)", vec![]).await?;
    assert_eq!(window.address().await?, here);
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn copied_files_are_pasted_as_their_paths() -> Result<()> {
    let desk = Desk::new("paste-files").await?;
    let (file, directory) = two(&desk)?;
    desk.add_asker()?;
    let window = desk.open_driven().await?;
    let (_, typed_into) = listener(&desk, &window).await?;
    let wanted = format!("{} {} ", quoted(&file), quoted(&directory));
    let _files = desk.copy_files(&[&file, &directory])?;
    desk.focus_window("Belfry")?;
    desk.press(&["ctrl+shift+v"])?;
    assert_eq!(typed(&typed_into).await?, wanted);

    let field = taker(&desk, &window).await?;
    window.select(&field).await?.click().await?;
    desk.press(&["ctrl+v"])?;
    assert_eq!(draft(&window, &field).await?, wanted);
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_picture_is_pasted_as_a_file_of_the_session() -> Result<()> {
    let desk = Desk::new("paste-picture").await?;
    let picture = desk.home().join("picture.png");
    std::fs::write(&picture, PICTURE)?;
    desk.add_asker()?;
    let window = desk.open_driven().await?;
    let (_, typed_into) = listener(&desk, &window).await?;
    let _picture = desk.copy_picture(&picture)?;
    desk.focus_window("Belfry")?;
    desk.press(&["ctrl+shift+v"])?;
    is_picture(&path(&typed(&typed_into).await?), &desk.belfry_home())?;

    let field = taker(&desk, &window).await?;
    window.select(&field).await?.click().await?;
    desk.press(&["ctrl+v"])?;
    is_picture(&path(&draft(&window, &field).await?), &desk.belfry_home())?;
    Ok(())
}
