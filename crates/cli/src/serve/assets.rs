//! The window's files, built into this program.

use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::Embed;

/// Absent while the interface was not built: then a page says so.
#[derive(Embed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Files;

const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>Belfry</title><p>This <code>belfry</code> was built \
     without the window's files. <code>cargo xtask run</code> builds both.";

pub(super) async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match Files::get(path) {
        Some(file) => ([(CONTENT_TYPE, kind(path))], file.data).into_response(),
        None if path == "index.html" => (StatusCode::NOT_FOUND, Html(NOT_BUILT)).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such file.").into_response(),
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("woff") => "font/woff",
        Some("ttf") => "font/ttf",
        Some("wav") => "audio/wav",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
