//! Claude Code's list of what is to be done, in versions that change it task by task.

use belfry_protocol::transcript::{Progress, Todo};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clean;

/// Tasks that are remembered.
const MOST: usize = 200;

/// The list as it is. Tasks are numbered as they come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tasks {
    last: u64,
    tasks: Vec<(String, Todo)>,
}

impl Tasks {
    /// The list after a tool's call; none where that changes nothing of it.
    pub(super) fn call(&mut self, name: &str, input: &Value) -> Option<Vec<Todo>> {
        match name {
            "TaskCreate" => {
                let text = clean::one_line(input["subject"].as_str()?, clean::PROMPT)?;
                self.last += 1;
                if self.tasks.len() < MOST {
                    self.tasks.push((self.last.to_string(), Todo { text, progress: Progress::Open }));
                }
            }
            "TaskUpdate" => {
                let id = input["taskId"].as_str()?;
                let at = self.tasks.iter().position(|(task, _)| task == id)?;
                let progress = match input["status"].as_str().unwrap_or_default() {
                    "in_progress" => Progress::Begun,
                    "completed" => Progress::Done,
                    "deleted" => Progress::Dropped,
                    "pending" => Progress::Open,
                    _ => return None,
                };
                self.tasks[at].1.progress = progress;
            }
            _ => return None,
        }
        Some(self.tasks.iter().map(|(_, todo)| todo.clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_grows_and_changes() {
        let mut tasks = Tasks::default();
        tasks.call("TaskCreate", &json!({ "subject": "One" })).unwrap();
        tasks.call("TaskCreate", &json!({ "subject": "Two" })).unwrap();
        let list = tasks.call("TaskUpdate", &json!({ "taskId": "2", "status": "completed" })).unwrap();
        assert_eq!(
            list.iter().map(|todo| todo.progress).collect::<Vec<_>>(),
            [Progress::Open, Progress::Done]
        );
        assert_eq!(tasks.call("TaskUpdate", &json!({ "taskId": "9", "status": "completed" })), None);
        assert_eq!(tasks.call("Bash", &json!({})), None);
    }
}
