//! Lists of what is to be done.

use belfry_protocol::transcript::{Progress, Todo};
use serde_json::Value;

use crate::clean;
use crate::json::items;

/// Things that a list has, and characters that each has.
const MOST: usize = 500;
const LONGEST: usize = 1000;

/// The list that a tool of that name and arguments writes; none where it writes none.
pub(crate) fn todos(name: &str, input: &Value) -> Option<Vec<Todo>> {
    match name.to_ascii_lowercase().as_str() {
        "todowrite" | "write_todos" | "todo_write" => Some(plan(&input["todos"])),
        "update_plan" => Some(plan(&input["plan"])),
        _ => None,
    }
}

/// Reads a list.
pub(crate) fn plan(list: &Value) -> Vec<Todo> {
    let todo = |item: &Value| {
        let text = ["content", "step", "description", "title", "text"];
        let text = text.iter().find_map(|field| item[*field].as_str()).or(item.as_str())?;
        Some(Todo { text: clean::one_line(text, LONGEST)?, progress: progress(item["status"].as_str()) })
    };
    items(list).iter().take(MOST).filter_map(todo).collect()
}

fn progress(status: Option<&str>) -> Progress {
    match status.unwrap_or_default() {
        "in_progress" | "inProgress" | "active" => Progress::Begun,
        "completed" | "complete" | "done" => Progress::Done,
        "cancelled" | "canceled" | "dropped" => Progress::Dropped,
        _ => Progress::Open,
    }
}
