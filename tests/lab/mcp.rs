//! A server of the Model Context Protocol with one tool, `echo`, for agents to ask about: line-wise JSON-RPC over the standard
//! streams.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

/// Serves until the input ends.
pub fn serve(input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    for line in input.lines() {
        let Ok(request) = serde_json::from_str::<Value>(&line?) else { continue };
        // What has no id wants no answer.
        let Some(id) = request.get("id").filter(|id| !id.is_null()) else { continue };
        let result = match request["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "probe", "version": "1.0.0" },
            }),
            "tools/list" => json!({ "tools": [tool()] }),
            "tools/call" => {
                let text = request["params"]["arguments"]["text"].as_str().unwrap_or_default();
                json!({ "content": [{ "type": "text", "text": format!("echo: {text}") }] })
            }
            "ping" => json!({}),
            "prompts/list" => json!({ "prompts": [] }),
            "resources/list" => json!({ "resources": [] }),
            "resources/templates/list" => json!({ "resourceTemplates": [] }),
            _ => {
                let error = json!({ "code": -32601, "message": "unknown method" });
                writeln!(output, "{}", json!({ "jsonrpc": "2.0", "id": id, "error": error }))?;
                output.flush()?;
                continue;
            }
        };
        writeln!(output, "{}", json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
        output.flush()?;
    }
    Ok(())
}

fn tool() -> Value {
    json!({
        "name": "echo",
        "description": "Says a text again",
        "inputSchema": {
            "type": "object",
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_answers_what_agents_ask() {
        let requests = [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
        ];
        let mut out = Vec::new();
        serve(requests.join("\n").as_bytes(), &mut out).unwrap();
        let answers: Vec<Value> =
            String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(answers[1]["result"]["content"][0]["text"], "echo: hi");
    }
}
