//! Throw-away homes.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A home directory in which every agent starts at its prompt and talks to a [`super::Lab`].
#[derive(Clone, Debug)]
pub struct Home {
    /// The directory.
    pub path: PathBuf,
    /// What the agents' environment needs: `HOME`, and where the model is. No `PATH`.
    pub env: Vec<(String, String)>,
}

/// Looks like a key, and is none.
const KEY: &str = "sk-ant-dummy-000000000000000000000000";

impl Home {
    /// Lays it out. In the projects, which must exist, no agent asks whether the directory is trusted; in any other they do.
    /// Not under `/tmp`: Codex refuses to run commands with a home there.
    pub fn lay_out(path: &Path, port: u16, projects: &[&Path]) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let path = path.canonicalize()?;
        let projects: Vec<String> = projects
            .iter()
            .map(|project| Ok(project.canonicalize()?.to_string_lossy().into_owned()))
            .collect::<io::Result<_>>()?;
        let url = format!("http://127.0.0.1:{port}");
        claude(&path, &projects)?;
        codex(&path, &projects, &url)?;
        opencode(&path, &url)?;
        gemini(&path, &projects)?;
        let v1 = format!("{url}/v1");
        let home = path.to_string_lossy().into_owned();
        let env = [
            ("HOME", home.as_str()),
            ("XDG_CONFIG_HOME", ""),
            ("ANTHROPIC_BASE_URL", &url),
            ("ANTHROPIC_API_KEY", KEY),
            ("DISABLE_AUTOUPDATER", "1"),
            ("MOCK_KEY", "x"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            // All of these would ask a network that is not there, for up to a minute.
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
            ("GOOGLE_GEMINI_BASE_URL", &url),
            ("GEMINI_API_KEY", "x"),
            ("OPENAI_API_BASE", &v1),
            ("OPENAI_API_KEY", "x"),
            ("AIDER_MODEL", "openai/mock-model"),
            ("AIDER_SHOW_MODEL_WARNINGS", "false"),
            ("AIDER_SHOW_RELEASE_NOTES", "false"),
            ("AIDER_GITIGNORE", "false"),
            // One in ten of its users, drawn anew in each home, is asked about this at the start.
            ("AIDER_ANALYTICS", "false"),
        ];
        let env = env.iter().filter(|(_, value)| !value.is_empty());
        Ok(Self { path, env: env.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect() })
    }
}

/// The program of the MCP server, and its argument.
const MCP: [&str; 2] = ["belfry-lab", "mcp"];

impl Home {
    /// Gives every agent that has them an MCP server named `probe` ([`super::mcp`]), whose tool is asked about. `programs` is
    /// where `belfry-lab` is.
    pub fn add_mcp(&self, programs: &Path) -> io::Result<()> {
        let program = programs.join(MCP[0]).to_string_lossy().into_owned();
        let server = json!({ "command": program, "args": [MCP[1]] });
        self.edit(".claude.json", |config| config["mcpServers"] = json!({ "probe": server }))?;
        self.edit(".gemini/settings.json", |config| config["mcpServers"] = json!({ "probe": server }))?;
        self.edit(".config/opencode/opencode.json", |config| {
            let command = [program.as_str(), MCP[1]];
            config["mcp"] = json!({ "probe": { "type": "local", "command": command, "enabled": true } });
            config["permission"]["probe_*"] = json!("ask");
        })?;
        let file = self.path.join(".codex/config.toml");
        let mut config = fs::read_to_string(&file)?;
        let _ = write!(config, "\n[mcp_servers.probe]\ncommand = {}\nargs = [\"mcp\"]\n", json!(program));
        fs::write(file, config)
    }

    fn edit(&self, name: &str, change: impl FnOnce(&mut Value)) -> io::Result<()> {
        let file = self.path.join(name);
        let mut config = serde_json::from_slice(&fs::read(&file)?)?;
        change(&mut config);
        fs::write(file, config.to_string())
    }
}

fn put(home: &Path, name: &str, text: &str) -> io::Result<()> {
    let file = home.join(name);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

fn by_project(projects: &[String], value: &Value) -> Value {
    projects.iter().map(|project| (project.clone(), value.clone())).collect::<serde_json::Map<_, _>>().into()
}

/// Its onboarding needs a network, and it asks before it uses a key from the environment.
fn claude(home: &Path, projects: &[String]) -> io::Result<()> {
    let config = json!({
        "hasCompletedOnboarding": true,
        "customApiKeyResponses": { "approved": [&KEY[KEY.len() - 20..]], "rejected": [] },
        "projects": by_project(projects, &json!({ "hasTrustDialogAccepted": true })),
    });
    put(home, ".claude.json", &config.to_string())
}

fn codex(home: &Path, projects: &[String], url: &str) -> io::Result<()> {
    let mut config = format!(
        r#"model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "Mock"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 2
stream_max_retries = 2
"#
    );
    for project in projects {
        let _ = write!(config, "\n[projects.{}]\ntrust_level = \"trusted\"\n", json!(project));
    }
    put(home, ".codex/config.toml", &config)
}

fn opencode(home: &Path, url: &str) -> io::Result<()> {
    let model =
        json!({ "name": "Mock Model", "tool_call": true, "limit": { "context": 100_000, "output": 8000 } });
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible",
        "name": "Mock",
        "options": { "baseURL": format!("{url}/v1"), "apiKey": "x" },
        "models": { "mock-model": model },
    });
    let config = json!({
        "autoupdate": false,
        "share": "disabled",
        "model": "mock/mock-model",
        "small_model": "mock/mock-model",
        "provider": { "mock": provider },
        "permission": { "edit": "ask", "bash": "ask", "webfetch": "ask" },
    });
    put(home, ".config/opencode/opencode.json", &config.to_string())
}

fn gemini(home: &Path, projects: &[String]) -> io::Result<()> {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "disableAutoUpdate": true, "enableAutoUpdate": false },
    });
    put(home, ".gemini/settings.json", &settings.to_string())?;
    put(home, ".gemini/trustedFolders.json", &by_project(projects, &json!("TRUST_FOLDER")).to_string())
}
