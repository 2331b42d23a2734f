// Generated from crates/protocol by `cargo xtask ts`. Do not edit.

/**
 * What can be done with an agent's conversations.
 */
export type AgentCan = { 
/**
 * One goes on after its program has ended.
 */
resume: boolean, 
/**
 * A session can begin with a copy of one.
 */
fork: boolean, 
/**
 * A copy can end at an earlier turn.
 */
fork_earlier: boolean, 
/**
 * Past ones are found and read.
 */
history: boolean, 
/**
 * Which one a process is in can be told of those that Belfry did not start.
 */
find: boolean, };

/**
 * An agent that Belfry knows, and whether it is here.
 */
export type AgentInfo = { 
/**
 * Its id: `claude`, `codex`, `opencode`, `gemini`, `aider`, `shell`, or one the person defined.
 */
id: string, 
/**
 * Shown name.
 */
name: string, 
/**
 * Absolute path of the program, where it was found.
 */
program: string | null, 
/**
 * Its version as it prints it, once asked.
 */
version: string | null, 
/**
 * The command that installs it.
 */
install: string | null, 
/**
 * What a launch can be given.
 */
takes: AgentTakes, 
/**
 * What can be done with its conversations.
 */
can: AgentCan, };

/**
 * What an agent is started with.
 */
export type AgentSettings = { 
/**
 * Its program, absolute or starting with `~`; none looks where it usually is.
 */
path: string | null, 
/**
 * Arguments of every session, before those that a session is given.
 */
args: Array<string>, 
/**
 * Variables of every session; those that a session is given come after.
 */
env: { [key in string]: string }, };

/**
 * What can be given at launch, so that a form shows only what has an effect.
 */
export type AgentTakes = { 
/**
 * A first prompt.
 */
prompt: boolean, 
/**
 * A model.
 */
model: boolean, 
/**
 * A system prompt.
 */
system_prompt: boolean, };

/**
 * How the window looks.
 */
export type Appearance = { 
/**
 * Dark, light, or as the desktop is.
 */
theme: ThemeChoice, 
/**
 * Name of the terminals' theme while the window is dark; the window takes its own where it knows none of that name.
 */
terminal_dark: string, 
/**
 * The same while the window is light.
 */
terminal_light: string, 
/**
 * Size of everything but terminals, in percent, 100 to 200.
 */
scale: number, };

/**
 * What an approval is about.
 */
export type Approves = "command" | "edit" | "fetch" | "mcp" | "other";

/**
 * A typed question from a session to the person, with its choices.
 */
export type Ask = { 
/**
 * Its id.
 */
id: AskId, 
/**
 * What kind it is.
 */
kind: AskKind, 
/**
 * What is approved, for approvals.
 */
approves: Approves | null, 
/**
 * The question in the dialog's words.
 */
text: string, 
/**
 * The answers, in the dialog's order; empty where only a text or a key is wanted, or where they could not be read.
 */
choices: Array<Choice>, 
/**
 * A text can be given.
 */
takes_text: boolean, 
/**
 * What it is about.
 */
detail: AskDetail, 
/**
 * How risky what is asked for looks.
 */
risk: Risk, 
/**
 * What the risk rests on, in a few words.
 */
risk_reason: string | null, 
/**
 * Stays the same while the same dialog is open and shows the same; an answer that names another one is refused. The same
 * question asked again has another one.
 */
fingerprint: string, 
/**
 * Whether Belfry can answer it: the dialog is on the screen and its keys are known.
 */
answerable: boolean, 
/**
 * Where it cannot be answered as it is, and that can be helped: what is in the way.
 */
obstacle?: string, 
/**
 * When it opened.
 */
opened_at: string, };

/**
 * What the question is about, as far as the dialog shows it.
 */
export type AskDetail = { 
/**
 * The command.
 */
command: string | null, 
/**
 * The file or directory.
 */
path: string | null, 
/**
 * The address.
 */
url: string | null, 
/**
 * The tool, and the server it is of.
 */
tool: string | null, 
/**
 * Anything else that the dialog shows of it, such as a change's lines or a plan: at most 4 KB.
 */
body: string | null, };

/**
 * A question of a session to the person.
 */
export type AskId = string;

/**
 * What kind of question it is.
 */
export type AskKind = "approval" | "plan" | "question" | "trust" | "login" | "choice" | "enter" | "input";

/**
 * How a question ended.
 */
export type AskOutcome = "answered" | "in_terminal" | "gone" | "ended";

/**
 * A file in a session's own folder.
 */
export type Attachment = { 
/**
 * Its absolute path.
 */
path: string, 
/**
 * Its name there, which the next piece of it goes by.
 */
file: string, };

/**
 * What two states a diff lies between.
 */
export type Between = { "of": "base" } | { "of": "uncommitted" } | { "of": "staged" } | { "of": "unstaged" } | { "of": "commit", 
/**
 * Its id.
 */
id: string, } | { "of": "points", 
/**
 * The older.
 */
from: string, 
/**
 * The newer; none: the files as they are.
 */
to: string | null, };

/**
 * What a new branch in a directory's repository can start from.
 */
export type Branches = { 
/**
 * The repository's main checkout; none where the directory is in none, and only scratch can be made.
 */
repository: string | null, 
/**
 * The branch that the directory is on.
 */
current: string | null, 
/**
 * What a new branch starts from where nothing is said.
 */
base: string | null, 
/**
 * Local branches, then those of remotes (`origin/…`), each newest first; at most 500.
 */
names: Array<string>, 
/**
 * Local branches that are checked out somewhere, and cannot be so a second time.
 */
taken: Array<string>, 
/**
 * Files that are changed in the directory now: a worktree does not have those changes.
 */
changed: number, 
/**
 * Its remote's address, without credentials; a clone needs one.
 */
remote: string | null, 
/**
 * A workspace is made ahead and can be had at once.
 */
warm: boolean, 
/**
 * Why neither worktree nor clone can be made of it, where that is so: no commit yet, somebody else's repository.
 */
refused: string | null, };

/**
 * What is different from the base in all, committed or not.
 */
export type ChangeCounts = { 
/**
 * Files, untracked ones too.
 */
files: number, 
/**
 * Lines that came.
 */
added: number, 
/**
 * Lines that went.
 */
removed: number, 
/**
 * Files that a merge left for a person to settle.
 */
conflicted: number, 
/**
 * Commits that the base has not.
 */
ahead: number, 
/**
 * Commits of the base that the branch has not.
 */
behind: number, };

/**
 * What happened to a file.
 */
export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "retyped" | "conflicted" | "untracked";

/**
 * A file that is different.
 */
export type ChangedFile = { 
/**
 * Relative to the repository's top, `/` between the parts. Bytes that are no UTF-8 are shown as U+FFFD, and such a file
 * cannot be acted on by itself.
 */
path: string, 
/**
 * Its path in the base, where it was moved.
 */
old_path: string | null, 
/**
 * What happened to it.
 */
kind: ChangeKind, 
/**
 * Lines that came; none of a binary file.
 */
added: number | null, 
/**
 * Lines that went.
 */
removed: number | null, 
/**
 * How much of what is not committed is staged.
 */
staged: Staged, };

/**
 * All that [`ChangesRequest::Show`] tells.
 */
export type Changes = { 
/**
 * In all.
 */
counts: ChangeCounts, 
/**
 * The branch; none where the head is detached.
 */
branch: string | null, 
/**
 * What is compared with, by its name; none: the newest commit.
 */
base: string | null, 
/**
 * The branch that is pushed to, such as `origin/fix`.
 */
upstream: string | null, 
/**
 * Commits that the upstream has not; none where there is no upstream.
 */
unpushed: number | null, 
/**
 * The remote that a push would go to, its address without credentials.
 */
remote: string | null, 
/**
 * Files against the base, in the order of their paths; at most 5,000.
 */
files: Array<ChangedFile>, 
/**
 * There are more files than these.
 */
more: boolean, 
/**
 * Commits that the base has not, newest first; at most 200.
 */
commits: Array<Commit>, 
/**
 * Newest first; at most 200.
 */
checkpoints: Array<Checkpoint>, 
/**
 * A `merge`, `rebase`, `cherry-pick`, `revert` or `bisect` that stands in the middle.
 */
operation: string | null, };

/**
 * Requests about a session's changes. What changes files or refs is refused with [`crate::ErrorCode::Git`] in git's own words
 * where git refuses it.
 */
export type ChangesRequest = { "do": "show", 
/**
 * Which.
 */
session: string, } | { "do": "diff", 
/**
 * Which.
 */
session: string, 
/**
 * The file's path now.
 */
path: string, 
/**
 * Between what.
 */
between: Between, 
/**
 * Lines around each change; none: 3.
 */
context: number | null, 
/**
 * All of it, however long; else at most 2,000 lines.
 */
whole: boolean, } | { "do": "files", 
/**
 * Which.
 */
session: string, 
/**
 * Between what.
 */
between: Between, } | { "do": "patch", 
/**
 * Which.
 */
session: string, 
/**
 * Between what.
 */
between: Between, 
/**
 * Chosen by the client.
 */
stream: StreamId, } | { "do": "stage", 
/**
 * Which.
 */
session: string, 
/**
 * Their paths.
 */
paths: Array<string>, 
/**
 * Only the hunk whose first line now is this one, in the diff between what is staged and the files.
 */
hunk: number | null, } | { "do": "unstage", 
/**
 * Which.
 */
session: string, 
/**
 * Their paths.
 */
paths: Array<string>, 
/**
 * Only the hunk whose first line now is this one, in the diff between the newest commit and what is staged.
 */
hunk: number | null, } | { "do": "discard", 
/**
 * Which.
 */
session: string, 
/**
 * Their paths.
 */
paths: Array<string>, } | { "do": "commit", 
/**
 * Which.
 */
session: string, 
/**
 * Its message.
 */
message: string, 
/**
 * Everything that is changed, untracked files too, instead of what is staged.
 */
all: boolean, 
/**
 * In place of the newest commit, which must not be pushed yet.
 */
amend: boolean, } | { "do": "suggest_message", 
/**
 * Which.
 */
session: string, } | { "do": "push", 
/**
 * Which.
 */
session: string, 
/**
 * Also where the remote's branch would lose commits, as long as those are the ones that were fetched last.
 */
force: boolean, } | { "do": "pull", 
/**
 * Which.
 */
session: string, 
/**
 * How.
 */
onto: Onto, } | { "do": "abort", 
/**
 * Which.
 */
session: string, } | { "do": "make_checkpoint", 
/**
 * Which.
 */
session: string, 
/**
 * What to call it.
 */
label: string, } | { "do": "go_to", 
/**
 * Which.
 */
session: string, 
/**
 * The checkpoint's id.
 */
checkpoint: string, };

/**
 * The state of a session's files at one moment, kept under a ref of Belfry's own.
 */
export type Checkpoint = { 
/**
 * Its commit's whole id.
 */
id: string, 
/**
 * Before what: the first line of the prompt, or what was about to be done.
 */
label: string, 
/**
 * When.
 */
at: string, 
/**
 * What it has not, though git does not ignore it: new files over 64 MiB with their size, and repositories inside, whose
 * paths end with `/`. At most 5, and how many more.
 */
left_out?: Array<string>, };

/**
 * One answer that can be chosen.
 */
export type Choice = { 
/**
 * What `belfry answer` takes and the card shows as its key: `1`, `y`, …
 */
key: string, 
/**
 * As the dialog words it.
 */
label: string, 
/**
 * The dialog's own words about it, under or beside the label.
 */
description: string | null, 
/**
 * How much there is to lose by it.
 */
risk: Risk, 
/**
 * It refuses or leaves the dialog.
 */
refuses: boolean, 
/**
 * It opens a field for a text: given with `belfry answer --text`.
 */
takes_text: boolean, 
/**
 * Where several can be chosen, whether this one is. Giving it ticks it, or unticks it, and the question stays open until
 * [`Choice::SUBMIT`] is given. None for a choice without a box.
 */
ticked: boolean | null, };

/**
 * From a client.
 */
export type ClientMessage = { "type": "hello", 
/**
 * What the client speaks.
 */
protocol: ProtocolVersion, 
/**
 * What it is: `desktop`, `cli`, `browser`.
 */
client: string, 
/**
 * Its version.
 */
version: string, } | { "type": "request", 
/**
 * Chosen by the client, unique while unanswered.
 */
id: number, 
/**
 * What it asks.
 */
request: Request, };

/**
 * How a clone for a new project ended.
 */
export type CloneEnd = { "how": "done" } | { "how": "cancelled" } | { "how": "failed", 
/**
 * Why, in git's words or better ones.
 */
error: WireError, };

/**
 * A repository that is being fetched for a new project.
 */
export type Cloning = { 
/**
 * Which; the project's id once it is there.
 */
id: ProjectId, 
/**
 * From where, without credentials.
 */
url: string, 
/**
 * Into which directory.
 */
path: string, 
/**
 * What git is at: `Receiving objects`.
 */
step: string, 
/**
 * How much of that is done, in percent, where git says so.
 */
percent: number | null, 
/**
 * How it ended.
 */
end: CloneEnd | null, };

/**
 * A commit.
 */
export type Commit = { 
/**
 * Its whole id.
 */
id: string, 
/**
 * First line of its message.
 */
subject: string, 
/**
 * Who wrote it.
 */
author: string, 
/**
 * When.
 */
at: string, 
/**
 * Some remote has it.
 */
pushed: boolean, };

/**
 * What can be done with a session that Belfry did not start.
 */
export type Control = "screen" | "adopt" | "end";

/**
 * A conversation as a list shows it.
 */
export type Conversation = { 
/**
 * The agent's id: `claude`, …
 */
agent: string, 
/**
 * The agent's own id of the conversation. Aider has none: there it is the path of its history file.
 */
id: string, 
/**
 * What the person or the agent called it, else its first prompt; one line, at most 200 characters.
 */
title: string, 
/**
 * The directory that it belongs to.
 */
cwd: string | null, 
/**
 * The branch that was checked out last.
 */
branch: string | null, 
/**
 * The model that answered last.
 */
model: string | null, 
/**
 * The first thing that was asked, at most 500 characters.
 */
first_prompt: string | null, 
/**
 * The last thing that was asked, at most 500 characters.
 */
last_prompt: string | null, 
/**
 * How often something was asked.
 */
prompts: number, 
/**
 * When it began.
 */
started_at: string | null, 
/**
 * When it was last written to.
 */
updated_at: string, 
/**
 * Size of what the agent keeps of it, in bytes; of a database, its own share as far as is known.
 */
bytes: number, 
/**
 * What it has used.
 */
usage: Usage, 
/**
 * The conversation that it was made from, where the agent writes that down.
 */
forked_from: string | null, 
/**
 * The file, or the database, that it is in.
 */
file: string, 
/**
 * What of it could not be read, for the person; none where all was.
 */
unread: string | null, 
/**
 * The person does not want to see it in lists.
 */
hidden: boolean, 
/**
 * The session that is or was last in it.
 */
session: SessionId | null, 
/**
 * Where it goes on just now; none where nothing is known to run it.
 */
live: Live | null, };

/**
 * The daemon, for `daemon status` and `doctor`.
 */
export type DaemonInfo = { 
/**
 * Process id.
 */
pid: number, 
/**
 * Version.
 */
version: string, 
/**
 * When it was started.
 */
started_at: string, 
/**
 * Path of its socket.
 */
socket: string, 
/**
 * Where state is kept.
 */
state: string, 
/**
 * SQLite's version.
 */
sqlite: string, 
/**
 * Live sessions.
 */
alive: number, 
/**
 * All sessions.
 */
sessions: number, 
/**
 * Connected clients.
 */
clients: number, 
/**
 * Things that the person should know: a database that was set aside, a log that cannot be written.
 */
notices: Array<string>, };

/**
 * From the daemon.
 */
export type DaemonMessage = { "type": "welcome", 
/**
 * What the daemon speaks.
 */
protocol: ProtocolVersion, 
/**
 * Its version.
 */
version: string, 
/**
 * Its process id.
 */
pid: number, 
/**
 * The person's home directory, to write paths short.
 */
home: string, } | { "type": "refused", 
/**
 * Why.
 */
error: WireError, 
/**
 * What the daemon speaks.
 */
protocol: ProtocolVersion, } | { "type": "reply", 
/**
 * The request's id.
 */
id: number, 
/**
 * What came of it.
 */
reply: Reply, } | { "type": "failed", 
/**
 * The request's id.
 */
id: number, 
/**
 * Why.
 */
error: WireError, } | { "type": "event", 
/**
 * What.
 */
event: Event, };

/**
 * How far a message is. It is sent at most once.
 */
export type Delivery = "queued" | "sending" | "delivered" | "failed" | "unsure";

/**
 * A line of a hunk.
 */
export type DiffLine = { 
/**
 * What it is.
 */
kind: LineKind, 
/**
 * Its text without the line's end.
 */
text: string, 
/**
 * The words that differ from its counterpart, as pairs of first and one past the last UTF-16 unit.
 */
words?: Array<[number, number]>, 
/**
 * The file ends with it, without a newline.
 */
no_newline?: boolean, };

/**
 * A directory that was found for what was typed so far.
 */
export type DirectoryEntry = { 
/**
 * Absolute path.
 */
path: string, 
/**
 * The same with the home directory written `~`.
 */
shown: string, 
/**
 * It is a git repository.
 */
repository: boolean, 
/**
 * The branch, where it is one.
 */
branch: string | null, };

/**
 * One thing in a transcript, in the order it was written down.
 */
export type Entry = { 
/**
 * Its place: ascending, the same at every reading as long as the agent only adds. An entry that is read again under the same
 * number takes the place of the one before: it has grown.
 */
seq: number, 
/**
 * When it was written down.
 */
at: string | null, 
/**
 * The agent's own id of it, where a fork can begin there.
 */
id: string | null, 
/**
 * The subagent that it belongs to, by [`Said::Tool`]'s `call` or the agent's id of it; none for the conversation itself.
 */
subagent: string | null, 
/**
 * What it is.
 */
said: Said, };

/**
 * One environment variable.
 */
export type EnvVar = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value.
 */
value: string, };

/**
 * What went wrong, for a program. Codes are never renamed and never reused.
 */
export type ErrorCode = "version" | "bad_request" | "no_such_session" | "ambiguous" | "not_found" | "not_alive" | "still_alive" | "forbidden" | "bad_directory" | "missing_program" | "launch_failed" | "no_private_storage" | "too_much" | "changed" | "still_open" | "conversation_live" | "conversation_gone" | "git" | "would_lose" | "busy" | "conflict" | "untrusted" | "disk_full" | "storage" | "keeper_lost" | "unsupported" | "internal";

/**
 * Something happened. A client ignores what it does not know.
 */
export type Event = { "event": "session", 
/**
 * The session as it is now.
 */
session: Session, } | { "event": "session_removed", 
/**
 * Which.
 */
id: SessionId, } | { "event": "overview_end" } | { "event": "project", 
/**
 * The project as it is now.
 */
project: Project, } | { "event": "cloning", 
/**
 * As it is now.
 */
cloning: Cloning, } | { "event": "project_removed", 
/**
 * Which.
 */
id: ProjectId, } | { "event": "group", 
/**
 * The group as it is now.
 */
group: Group, } | { "event": "group_removed", 
/**
 * Which.
 */
id: GroupId, } | { "event": "view_size", 
/**
 * Which view.
 */
view: ViewId, 
/**
 * The session's size.
 */
size: Size, } | { "event": "view_keyboard", 
/**
 * Which view.
 */
view: ViewId, 
/**
 * The kitty keyboard protocol's flags, 0 when off.
 */
kitty: number, } | { "event": "view_closed", 
/**
 * Which view.
 */
view: ViewId, 
/**
 * Why, in one sentence.
 */
why: string, } | { "event": "clipboard_write", 
/**
 * Which view.
 */
view: ViewId, 
/**
 * The text, without control characters, at most 100 KB.
 */
text: string, } | { "event": "message", 
/**
 * For which session.
 */
session: SessionId, 
/**
 * The message as it is now.
 */
message: QueuedMessage, } | { "event": "bell", 
/**
 * Where.
 */
session: SessionId, } | { "event": "focus_window", 
/**
 * The session that it is to show; none leaves what it shows.
 */
session: SessionId | null, } | { "event": "stream_failed", 
/**
 * Which stream.
 */
stream: StreamId, 
/**
 * Why.
 */
error: WireError, } | { "event": "settings", 
/**
 * As they are now.
 */
state: SettingsState, } | { "event": "notification", 
/**
 * What.
 */
notification: Notification, } | { "event": "notification_gone", 
/**
 * Which.
 */
id: NotificationId, } | { "event": "notifications_read", 
/**
 * That one and all before it.
 */
up_to: NotificationId, } | { "event": "notice", 
/**
 * In one sentence.
 */
text: string, } | { "event": "stopping" };

/**
 * One observation, as it counts now.
 */
export type Evidence = { 
/**
 * Where it comes from.
 */
source: Source, 
/**
 * What it says.
 */
says: Says | null, 
/**
 * What was seen, in a few words: a rule's name and the text that it found, a hook's name.
 */
what: string, 
/**
 * How long ago it was last observed, in milliseconds.
 */
age_ms: number, 
/**
 * What became of it.
 */
weight: Weight, 
/**
 * Why, in a few words, where that does not follow from the weight.
 */
why: string | null, };

/**
 * How a run ended.
 */
export type Exit = { "how": "code", 
/**
 * Its exit code.
 */
code: number, } | { "how": "signal", 
/**
 * The signal's number.
 */
signal: number, 
/**
 * Its name, such as `SIGKILL`.
 */
name: string, } | { "how": "machine_restarted" } | { "how": "keeper_lost" } | { "how": "launch_failed", 
/**
 * Why.
 */
reason: string, };

/**
 * Why a session's status is what it is.
 */
export type Explanation = { 
/**
 * The session's name.
 */
name: string, 
/**
 * Its agent.
 */
agent: string, 
/**
 * The agent's version, where it is known, and whether its rules were made for it.
 */
version: string | null, 
/**
 * The one word.
 */
status: Status, 
/**
 * Its reason or activity.
 */
reason: string | null, 
/**
 * Since when it has that status, in milliseconds.
 */
for_ms: number, 
/**
 * Since when it does what its activity says, as in the session's record.
 */
activity_since: string | null, 
/**
 * The rule by which it was decided, in a sentence.
 */
rule: string, 
/**
 * All observations, the deciding ones first.
 */
evidence: Array<Evidence>, 
/**
 * Sources that could speak and do not.
 */
missing: Array<Missing>, 
/**
 * The last changes, newest first.
 */
history: Array<StatusChange>, };

/**
 * A check that failed.
 */
export type FailedCheck = { 
/**
 * Its name.
 */
name: string, 
/**
 * Where it tells more.
 */
url: string | null, };

/**
 * One look at what sessions take. How busy one is follows from two looks: of [`SessionFigures::cpu_ms`] and
 * [`Figures::at_ms`] the later less the earlier.
 */
export type Figures = { 
/**
 * When, in milliseconds of a steady clock that begins anywhere.
 */
at_ms: number, 
/**
 * Of each session that lives and could be looked at.
 */
sessions: Array<SessionFigures>, };

/**
 * One file's diff.
 */
export type FileDiff = { 
/**
 * The file.
 */
file: ChangedFile, 
/**
 * It is not text.
 */
binary: boolean, 
/**
 * Bytes before; none where it was not there.
 */
old_bytes: number | null, 
/**
 * Bytes now.
 */
new_bytes: number | null, 
/**
 * What changed. Empty for binary files and changes of mode alone.
 */
hunks: Array<Hunk>, 
/**
 * Lines that were left out because there are too many; ask with `whole`.
 */
left_out: number, 
/**
 * A change of the file's mode, or of a submodule's commit, in words.
 */
note: string | null, };

/**
 * What of a pull request is sent to the agent.
 */
export type Findings = "checks" | "comments";

/**
 * Letters in terminals.
 */
export type Fonts = { 
/**
 * A monospaced font of this machine; none takes the one that comes with Belfry.
 */
family: string | null, 
/**
 * Pixels, 8 to 32.
 */
size: number, };

/**
 * Which session is forked, and how: see [`crate::Request::ForkSession`].
 */
export type ForkSession = { 
/**
 * Of which.
 */
session: string, 
/**
 * The new session's name; none: like the other's.
 */
name: string | null, 
/**
 * At which entry of the transcript, by the agent's own id of it; none: at the latest.
 */
at: string | null, 
/**
 * Start a new conversation, whose first prompt has it read a text of what was said before.
 */
handover: boolean, 
/**
 * As in [`crate::launch::NewSession::base_env`].
 */
base_env: Array<EnvVar> | null, };

/**
 * Hits, best first.
 */
export type Found = { 
/**
 * This page of them.
 */
hits: Array<Hit>, 
/**
 * How many there are, of each conversation and each session the best few.
 */
total: number, 
/**
 * There are more, too many to be ranked: these are among the newest.
 */
more: boolean, };

/**
 * A folder of sessions inside a project.
 */
export type Group = { 
/**
 * Its id.
 */
id: GroupId, 
/**
 * The project it is in.
 */
project: ProjectId, 
/**
 * The group it is in, where nested.
 */
parent: GroupId | null, 
/**
 * Shown name.
 */
name: string, 
/**
 * Place among its siblings, ascending.
 */
position: number, 
/**
 * The colour that the person gave it.
 */
color: GroupColor | null, };

/**
 * Colours that a group can have; the window has a tone of each for dark and for light.
 */
export type GroupColor = "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink";

/**
 * A folder of sessions inside a project.
 */
export type GroupId = string;

/**
 * One thing that happened to a session.
 */
export type Happened = { "happened": "status" } & StatusChange | { "happened": "ask" } & PastAsk;

/**
 * When idle sessions are put to sleep by themselves: their programs end, and are resumed when they are wanted. What is 0 puts
 * none to sleep, and 0 is what all of them usually are.
 */
export type Hibernate = { 
/**
 * One that has been idle for so many minutes, at most a week.
 */
after_minutes: number, 
/**
 * The ones that have been idle longest, where more than so many sessions live.
 */
above_sessions: number, 
/**
 * The same where all sessions together take more than so many megabytes of memory.
 */
above_memory_mb: number, };

/**
 * Something that was found.
 */
export type Hit = { 
/**
 * When it was said or shown.
 */
at: string, 
/**
 * What it is.
 */
role: Role, 
/**
 * The text around it; empty where the agent's file cannot be read any more.
 */
text: Array<Piece>, 
/**
 * Further hits in the same conversation, or of the same session, that are not shown.
 */
more: number, } & ({ 
/**
 * Which.
 */
conversation: Conversation, 
/**
 * The subagent of it that said so; none for the conversation itself.
 */
subagent: string | null, 
/**
 * Which entry of it; none for its title.
 */
seq: number | null, } | { 
/**
 * Which line.
 */
line: ShownLine, });

/**
 * A place in a recording where output is missing.
 */
export type Hole = { 
/**
 * Where, in milliseconds.
 */
at: number, 
/**
 * How much was printed that is not there, in bytes.
 */
bytes: number, 
/**
 * Why.
 */
why: HoleReason, };

/**
 * Why output is missing.
 */
export type HoleReason = "dropped" | "disk_full" | "damaged";

/**
 * Lines of a file that belong together.
 */
export type Hunk = { 
/**
 * First line of it before, from 1.
 */
old_start: number, 
/**
 * First line of it now, from 1.
 */
new_start: number, 
/**
 * What git says that it is in: a function's head.
 */
heading: string, 
/**
 * Its lines.
 */
lines: Array<DiffLine>, };

/**
 * How far the index has come with what there is.
 */
export type Indexing = { 
/**
 * Conversations and runs that it has read.
 */
done: number, 
/**
 * Those that it has to read; what has not changed is not among them.
 */
total: number, 
/**
 * It looks for what there is, or reads it.
 */
busy: boolean, };

/**
 * Whether Belfry started the session or found it.
 */
export type Kind = "managed" | "local";

/**
 * What was last used in a directory, offered again.
 */
export type LaunchDefaults = { 
/**
 * The directory.
 */
cwd: string, 
/**
 * The agent.
 */
agent: string | null, 
/**
 * The model.
 */
model: string | null, 
/**
 * The system prompt.
 */
system_prompt: string | null, 
/**
 * Extra arguments.
 */
args: Array<string>, 
/**
 * Names of variables that were set; values are not kept.
 */
env_names: Array<string>, };

/**
 * A conversation that a session has been in.
 */
export type LearntConversation = { 
/**
 * The agent's own id.
 */
id: string, 
/**
 * When it was learnt that the session is in it.
 */
learnt_at: string, 
/**
 * How: `launch`, `resume`, `fork`, `hook`, `registry`, `transcript`.
 */
how: string, };

/**
 * What a line of a diff is.
 */
export type LineKind = "context" | "added" | "removed";

/**
 * Which conversations are listed.
 */
export type List = { 
/**
 * Of these agents; of all where there are none.
 */
agents: Array<string>, 
/**
 * Only the one with this id.
 */
id: string | null, 
/**
 * In this directory or below it.
 */
directory: string | null, 
/**
 * With these words in the title, the prompts, or the directory.
 */
text: string | null, 
/**
 * Also those that are hidden.
 */
hidden: boolean, 
/**
 * Written to at or after this.
 */
since: string | null, 
/**
 * Written to before this.
 */
before: string | null, 
/**
 * So many of the first are left out.
 */
skip: number, 
/**
 * At most so many.
 */
limit: number, };

/**
 * A process that has a conversation open.
 */
export type Live = { 
/**
 * Its process id.
 */
pid: number, 
/**
 * Where it is, for the person: `tmux main:1.0`, `another terminal (pts/4)`, a session's name.
 */
place: string, 
/**
 * The session, where it is one.
 */
session: SessionId | null, };

/**
 * Where a session is that Belfry did not start. An adopted one keeps it: its pane is still somebody else's terminal.
 */
export type Local = { 
/**
 * Where, for a person: `tmux main:1.0`, `another terminal (pts/4)`, `editor: code`.
 */
place: string, 
/**
 * Where, for a program.
 */
at: Place, 
/**
 * Its terminal, as in `pts/4`; none where it has none.
 */
tty: string | null, 
/**
 * What can be done with it from here.
 */
can: Array<Control>, };

/**
 * What would be lost if a workspace were deleted with nothing saved.
 */
export type Losses = { 
/**
 * The workspace's path.
 */
path: string, 
/**
 * Changed and not committed, staged or not.
 */
uncommitted: LostFiles, 
/**
 * Not known to git and not ignored.
 */
untracked: LostFiles, 
/**
 * Ignored, and no copies of what the project's own directory has.
 */
ignored: LostFiles, 
/**
 * Commits that no remote and no other branch has, newest first: short id and subject; at most 50.
 */
unpushed: Array<string>, 
/**
 * How many there are.
 */
unpushed_count: number, 
/**
 * Stashes that were made on its branch.
 */
stashes: Array<string>, 
/**
 * A rebase, merge or such that stands in the middle.
 */
operation: string | null, 
/**
 * Repositories inside it that are nobody's submodule, and submodules with work of their own.
 */
repositories: Array<string>, 
/**
 * Programs that work in it, each `name (pid)`. While there is one, it is not removed.
 */
processes: Array<string>, 
/**
 * Why it cannot be removed at all, such as a lock or that Belfry did not make it.
 */
refused: string | null, 
/**
 * Changes whenever one of these does: what is removed must be what was shown.
 */
fingerprint: string, };

/**
 * Files that would be lost.
 */
export type LostFiles = { 
/**
 * How many.
 */
count: number, 
/**
 * Their bytes.
 */
bytes: number, 
/**
 * The first 50, relative to the workspace; a directory that is lost whole ends in `/`.
 */
first: Array<string>, };

/**
 * A moment in a recording.
 */
export type Mark = { 
/**
 * Where, in milliseconds.
 */
at: number, 
/**
 * What kind.
 */
kind: MarkKind, 
/**
 * What is to be said of it, in one line.
 */
text: string, };

/**
 * What a mark stands for.
 */
export type MarkKind = "run" | "turn" | "ask" | "blocked";

/**
 * How a pull request is merged.
 */
export type MergeHow = "merge" | "squash" | "rebase";

/**
 * A text queued for a session.
 */
export type Message = { 
/**
 * Its id.
 */
id: MessageId, 
/**
 * How far it is.
 */
delivery: Delivery, 
/**
 * Why it failed.
 */
why: string | null, };

/**
 * A text queued for a session.
 */
export type MessageId = string;

/**
 * A source that could speak and does not.
 */
export type Missing = { 
/**
 * Which.
 */
source: Source, 
/**
 * Why, as far as is known: hooks were not loaded, the title is switched off, this version is not known.
 */
why: string, 
/**
 * What that costs.
 */
costs: string, };

/**
 * A new session. Everything but the agent has a sensible default.
 */
export type NewSession = { 
/**
 * The agent's id; empty means `shell`.
 */
agent: string, 
/**
 * Directory, absolute or starting with `~`; none means that of the project that is given, else the home directory.
 */
cwd?: string, 
/**
 * Name.
 */
name?: string, 
/**
 * Project.
 */
project?: ProjectId, 
/**
 * Group.
 */
group?: GroupId, 
/**
 * How its directory is made.
 */
workspace: WorkspaceKind, 
/**
 * Branch, for a worktree or a clone: one that is there, else a new one of that name. None: a new one, named after the
 * prompt.
 */
branch?: string, 
/**
 * What a new branch starts from, such as `origin/main`; none: as the project or its remote says.
 */
base?: string, 
/**
 * Start from that pull request's branch.
 */
pull_request?: number, 
/**
 * A workspace that was made ahead may be taken, where there is one that fits.
 */
warm: boolean, 
/**
 * Model.
 */
model?: string, 
/**
 * System prompt, added to the agent's own.
 */
system_prompt?: string, 
/**
 * First prompt, delivered when the agent is ready.
 */
prompt?: string, 
/**
 * Extra arguments; for `shell`, the command to run instead of the person's shell.
 */
args: Array<string>, 
/**
 * Variables to set on top.
 */
env: Array<EnvVar>, 
/**
 * The environment to start from: the calling CLI's own. None: the person's login shell's.
 */
base_env?: Array<EnvVar>, 
/**
 * Size; none means [`Size::DEFAULT`] until a view opens.
 */
size?: Size, 
/**
 * Keep nothing of it on disk.
 */
private: boolean, };

/**
 * Kinds of [`Said::Note`].
 */
export type Note = "compacted" | "interrupted" | "failed" | "turn_over" | "unread" | "other";

/**
 * Something that called the person. It comes once; how it is later is told by [`crate::Event::NotificationGone`] and
 * [`crate::Event::NotificationsRead`].
 */
export type Notification = { 
/**
 * Its id; later ones are greater, as text too.
 */
id: NotificationId, 
/**
 * Which session calls; none where the person tries what notifications look like.
 */
session: SessionId | null, 
/**
 * Why.
 */
kind: NotificationKind, 
/**
 * One line, at most 120 characters, without control characters.
 */
title: string, 
/**
 * The question, the command, the reason: plain text and no markup, at most 500 characters in at most 6 lines, without
 * other control characters.
 */
text: string, 
/**
 * The question, where it can be answered from the notification.
 */
ask: NotificationAsk | null, 
/**
 * When.
 */
at: string, 
/**
 * The person has seen it, or its reason is gone.
 */
read: boolean, 
/**
 * Its reason is gone: answered, looked at, going on.
 */
over: boolean, 
/**
 * Only for the list: it came in quiet hours, or while nothing was to disturb.
 */
quiet: boolean, 
/**
 * One of many that came at once: the desktop may show their number instead.
 */
many: boolean, 
/**
 * A sound goes with it, by the settings.
 */
sound: boolean, };

/**
 * How a question is answered from a notification, with [`crate::Request::AnswerAsk`] and this fingerprint.
 */
export type NotificationAsk = { 
/**
 * Which.
 */
id: AskId, 
/**
 * Of the dialog that the text is about.
 */
fingerprint: string, 
/**
 * Key of the choice that allows it this once. Only where all that is asked for is in the text, and does not look
 * dangerous.
 */
allow: string | null, 
/**
 * Key of the choice that refuses.
 */
deny: string | null, };

/**
 * Something that called the person.
 */
export type NotificationId = string;

/**
 * Why a session calls.
 */
export type NotificationKind = "waiting" | "blocked" | "done" | "died";

/**
 * What calls the person, when and how loudly.
 */
export type Notifications = { 
/**
 * A session asks something.
 */
waiting: boolean, 
/**
 * A session cannot go on.
 */
blocked: boolean, 
/**
 * A turn is over.
 */
done: boolean, 
/**
 * A program has ended that nobody ended.
 */
died: boolean, 
/**
 * Only turns that took at least so many seconds are told to be over, at most a day.
 */
done_after_seconds: number, 
/**
 * Nothing shows and nothing sounds; the list goes on.
 */
do_not_disturb: boolean, 
/**
 * The same every day at these hours.
 */
quiet_hours: QuietHours | null, 
/**
 * A sound goes with each.
 */
sounds: boolean, 
/**
 * How loud, 0 to 100.
 */
volume: number, 
/**
 * One goes with a question.
 */
sound_waiting: boolean, 
/**
 * One goes with a session that cannot go on.
 */
sound_blocked: boolean, 
/**
 * One goes with a turn that is over.
 */
sound_done: boolean, 
/**
 * One goes with a program that has ended.
 */
sound_died: boolean, };

/**
 * How the base's new commits are brought into a branch.
 */
export type Onto = "rebase" | "merge";

/**
 * A question that was asked, and what became of it.
 */
export type PastAsk = { 
/**
 * When it was asked.
 */
at: string, 
/**
 * Its id.
 */
ask: AskId, 
/**
 * What kind of question it was.
 */
kind: AskKind, 
/**
 * The question in the dialog's words.
 */
text: string, 
/**
 * What it was about: the command, the file, the address or the tool.
 */
about: string | null, 
/**
 * When it ended; none while it is open.
 */
ended_at: string | null, 
/**
 * How it ended; none while it is open.
 */
outcome: AskOutcome | null, 
/**
 * The label of the choice that was given through Belfry; never a text, which may be a password.
 */
answer: string | null, 
/**
 * Who gave it: `person`, with the kind of client where that is known.
 */
answered_by: string | null, };

/**
 * A part of a text.
 */
export type Piece = { 
/**
 * It.
 */
text: string, 
/**
 * It is what was looked for.
 */
marked: boolean, };

/**
 * Where a session is.
 */
export type Place = { "in": "tmux" } & TmuxPane | { "in": "terminal" } | { "in": "editor", 
/**
 * The editor's process, by name.
 */
name: string, } | { "in": "background" };

/**
 * Ports that no other workspace was given.
 */
export type PortRange = { 
/**
 * The first; `BELFRY_PORT` in the environment.
 */
first: number, 
/**
 * How many; `BELFRY_PORT_COUNT`.
 */
count: number, };

/**
 * What a session waits for before its first prompt is typed.
 */
export type Preparing = { 
/**
 * How far its workspace is.
 */
state: WorkspaceState, 
/**
 * The last line that the setup script printed, without control characters.
 */
line: string | null, 
/**
 * The first prompt waits for it.
 */
prompt_waits: boolean, };

/**
 * What is kept, and for how long. What is in the trash stays a day.
 */
export type Privacy = { 
/**
 * Most megabytes of one session's recording, 1 to 4096; the oldest part is dropped. For runs that are started later.
 */
journal_cap_mb: number, 
/**
 * Days for which the history of what happened is kept, 1 to 3650.
 */
history_days: number, };

/**
 * How far something is.
 */
export type Progress = "open" | "begun" | "done" | "dropped";

/**
 * A directory with defaults for new sessions.
 */
export type Project = { 
/**
 * Its id.
 */
id: ProjectId, 
/**
 * Shown name.
 */
name: string, 
/**
 * Its directory.
 */
path: string, 
/**
 * Place in the list, ascending.
 */
position: number, 
/**
 * What a new session here begins with.
 */
defaults: ProjectDefaults, };

/**
 * What a new session in a project begins with, where the person does not say otherwise.
 */
export type ProjectDefaults = { 
/**
 * The agent's id.
 */
agent?: string, 
/**
 * The model.
 */
model?: string, 
/**
 * The first prompt.
 */
prompt?: string, 
/**
 * How its directory is made.
 */
workspace?: WorkspaceKind, 
/**
 * What a workspace is made with.
 */
rules?: WorkspaceRules, };

/**
 * A directory with defaults for new sessions.
 */
export type ProjectId = string;

/**
 * Two sides understand each other when their `major` is equal; `minor` grows with each added field or request.
 */
export type ProtocolVersion = { 
/**
 * Changes when an older side could misread a newer one.
 */
major: number, 
/**
 * Changes when something was added.
 */
minor: number, };

/**
 * What a pull request would begin with, for the person to edit.
 */
export type PullDraft = { 
/**
 * From the conversation, else from the commits.
 */
title: string, 
/**
 * In Markdown.
 */
body: string, 
/**
 * Where it is to go.
 */
base: string, 
/**
 * The branch that is pushed.
 */
head: string, 
/**
 * The program that makes it: `gh` or `glab`; none where neither is installed and logged in for this remote.
 */
by: string | null, 
/**
 * The page on which the person can make it by hand, where the remote is one whose pages are known.
 */
compare: string | null, 
/**
 * What stands in the way, in one sentence: no commits, no remote, not logged in.
 */
problem: string | null, 
/**
 * Files that are not committed and would not be in it.
 */
uncommitted: number, };

/**
 * A pull request, as it was when it was last asked for.
 */
export type PullRequest = { 
/**
 * Its number.
 */
number: number, 
/**
 * Its address; https always.
 */
url: string, 
/**
 * Its title.
 */
title: string, 
/**
 * How far it is.
 */
state: PullState, 
/**
 * The branch that it is to go into.
 */
base: string, 
/**
 * Checks that passed.
 */
checks_passed: number, 
/**
 * Checks that run or wait.
 */
checks_pending: number, 
/**
 * Checks that failed.
 */
failed: Array<FailedCheck>, 
/**
 * What reviewers decided.
 */
review: Review | null, 
/**
 * Comments of reviewers that are not settled, oldest first; at most 100.
 */
comments: Array<ReviewComment>, 
/**
 * It can be merged, as far as the forge knows.
 */
mergeable: boolean | null, 
/**
 * When the forge was asked.
 */
fetched_at: string, };

/**
 * Requests about a session's pull request.
 */
export type PullRequestRequest = { "do": "draft", 
/**
 * Which.
 */
session: string, } | { "do": "create", 
/**
 * Which.
 */
session: string, 
/**
 * Its title.
 */
title: string, 
/**
 * Its text.
 */
body: string, 
/**
 * Where it is to go; none: as drafted.
 */
base: string | null, 
/**
 * As a draft.
 */
draft: boolean, } | { "do": "refresh", 
/**
 * Which.
 */
session: string, } | { "do": "merge", 
/**
 * Which.
 */
session: string, 
/**
 * How.
 */
how: MergeHow, } | { "do": "send_findings", 
/**
 * Which.
 */
session: string, 
/**
 * What.
 */
what: Findings, };

/**
 * How far a pull request is.
 */
export type PullState = "draft" | "open" | "merged" | "closed";

/**
 * A text and how far it is.
 */
export type QueuedMessage = { 
/**
 * Its id.
 */
id: MessageId, 
/**
 * The text.
 */
text: string, 
/**
 * How far it is.
 */
delivery: Delivery, 
/**
 * Why it failed, or what it waits for.
 */
why: string | null, 
/**
 * When it was queued.
 */
queued_at: string, };

/**
 * From when to when, by the clock on the wall here. Past midnight where `to` is the earlier one; where both are the same,
 * never.
 */
export type QuietHours = { 
/**
 * `HH:MM`.
 */
from: string, 
/**
 * `HH:MM`; from this minute on it is over.
 */
to: string, };

/**
 * Which entries of a conversation are wanted: see [`crate::Request::ReadTranscript`].
 */
export type ReadTranscript = { 
/**
 * The agent's id.
 */
agent: string, 
/**
 * The agent's own id of the conversation.
 */
id: string, 
/**
 * What this subagent of it did, by the id that the entry with its result has.
 */
subagent: string | null, 
/**
 * From this entry on.
 */
from: number | null, 
/**
 * Those before this entry, where `from` is not given.
 */
before: number | null, 
/**
 * At most so many; fewer where they are large.
 */
limit: number, };

/**
 * What is wanted of what was used.
 */
export type ReadUsage = { 
/**
 * How it is added up.
 */
by: UsageBy, 
/**
 * At or after this; to the hour for tokens. None: from the beginning.
 */
since: string | null, 
/**
 * Before this; none: up to now.
 */
before: string | null, };

/**
 * One run in a recording.
 */
export type RecordedRun = { 
/**
 * Its id.
 */
run: RunId, 
/**
 * Where it begins, in milliseconds.
 */
from: number, 
/**
 * Where it ends.
 */
to: number, 
/**
 * When that beginning was.
 */
began: string, };

/**
 * A size of a recording's terminal.
 */
export type RecordedSize = { 
/**
 * From where on, in milliseconds.
 */
at: number, 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, };

/**
 * A session's recording, without what was printed.
 */
export type Recording = { 
/**
 * How long it takes, in milliseconds.
 */
length: number, 
/**
 * Bytes of output that are kept.
 */
bytes: number, 
/**
 * The largest terminal in it: columns.
 */
cols: number, 
/**
 * And rows.
 */
rows: number, 
/**
 * The runs that are kept, oldest first.
 */
runs: Array<RecordedRun>, 
/**
 * Bytes printed in each of [`PARTS`] equal parts; empty where there is nothing.
 */
activity: Array<number>, 
/**
 * What can be gone to, in order.
 */
marks: Array<Mark>, 
/**
 * Output is missing in it: the journal's limit was reached, or the disk was full.
 */
gaps: boolean, 
/**
 * Where, in order; of very many the first.
 */
holes: Array<Hole>, 
/**
 * The terminal's sizes, in order: the first, and each later one that lasted; of very many the first.
 */
sizes: Array<RecordedSize>, 
/**
 * What the clock on the wall showed where: at each run's beginning, and where it jumped since, as it does when the
 * machine has slept or somebody sets it. In between both clocks go alike.
 */
clocks: Array<WallClock>, };

/**
 * One line of what [`crate::Request::ReadRecording`] sends. Lines end with a line feed; the first is a `picture`, the last an
 * `end`.
 */
export type RecordingLine = { "is": "picture", 
/**
 * In milliseconds.
 */
at: number, 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, 
/**
 * To be fed.
 */
text: string, } | { "is": "output", 
/**
 * In milliseconds.
 */
at: number, 
/**
 * To be fed.
 */
text: string, } | { "is": "resize", 
/**
 * In milliseconds.
 */
at: number, 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, } | { "is": "end", 
/**
 * Where to read on, in milliseconds; none at the recording's end.
 */
next: number | null, };

/**
 * How cells are drawn.
 */
export type Renderer = "auto" | "dom" | "webgl";

/**
 * What came of a request.
 */
export type Reply = { "kind": "done" } | { "kind": "overview", "value": { 
/**
 * All sessions, trashed and archived ones too, oldest first.
 */
sessions: Array<Session>, 
/**
 * Projects.
 */
projects: Array<Project>, 
/**
 * Groups.
 */
groups: Array<Group>, 
/**
 * Not all sessions fit in this message; the others follow as events.
 */
more: boolean, } } | { "kind": "session", "value": Session } | { "kind": "sessions", "value": Array<Session> } | { "kind": "project", "value": Project } | { "kind": "group", "value": Group } | { "kind": "removed", "value": { 
/**
 * It is in the trash for a day; otherwise it is gone for good.
 */
trashed: boolean, } } | { "kind": "screen", "value": Screen } | { "kind": "message", "value": Message } | { "kind": "messages", "value": Array<QueuedMessage> } | { "kind": "explanation", "value": Explanation } | { "kind": "prompt", "value": { 
/**
 * None where it was nothing, or nobody knows any more.
 */
text: string | null, } } | { "kind": "attachment", "value": Attachment } | { "kind": "history", "value": Array<Happened> } | { "kind": "conversations", "value": { 
/**
 * This page of them.
 */
conversations: Array<Conversation>, 
/**
 * How many there are.
 */
total: number, 
/**
 * How far reading them is.
 */
indexing: Indexing, } } | { "kind": "hits", "value": { 
/**
 * It.
 */
found: Found, 
/**
 * How far reading is: what has not been read yet is not found.
 */
indexing: Indexing, } } | { "kind": "transcript", "value": { 
/**
 * Entries in their order.
 */
entries: Array<Entry>, 
/**
 * There are earlier ones.
 */
earlier: boolean, 
/**
 * There are later ones.
 */
later: boolean, } } | { "kind": "ledger", "value": Array<LearntConversation> } | { "kind": "recording", "value": Recording } | { "kind": "figures", "value": Figures } | { "kind": "usage", "value": UsageReport } | { "kind": "view", "value": { 
/**
 * The session.
 */
session: Session, 
/**
 * The session's size, which the view's terminal must have.
 */
size: Size, } } | { "kind": "agents", "value": Array<AgentInfo> } | { "kind": "directories", "value": Array<DirectoryEntry> } | { "kind": "launch_defaults", "value": LaunchDefaults } | { "kind": "setting", "value": unknown } | { "kind": "settings", "value": SettingsState } | { "kind": "notifications", "value": Array<Notification> } | { "kind": "workspaces", "value": Array<Workspace> } | { "kind": "losses", "value": Losses } | { "kind": "scripts", "value": Scripts } | { "kind": "branches", "value": Branches } | { "kind": "cloning", "value": Cloning } | { "kind": "changes", "value": Changes } | { "kind": "changed_files", "value": Array<ChangedFile> } | { "kind": "diff", "value": FileDiff } | { "kind": "pull_draft", "value": PullDraft } | { "kind": "pull_request", "value": PullRequest } | { "kind": "text", "value": string } | { "kind": "daemon", "value": DaemonInfo } | { "kind": "faults", "value": Array<string> };

/**
 * A request. `session` is an id, a unique prefix of one, or a name, unless it is typed as an id.
 */
export type Request = { "method": "ping" } | { "method": "subscribe" } | { "method": "new_session", "params": NewSession } | { "method": "list_sessions", "params": { 
/**
 * Only these; empty means all.
 */
status: Array<StatusFilter>, 
/**
 * Archived, trashed and local ones too.
 */
all: boolean, 
/**
 * Only those that come after this one.
 */
after: SessionId | null, } } | { "method": "show_session", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "rename_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * 1 to 200 characters.
 */
name: string, } } | { "method": "duplicate_session", "params": { 
/**
 * Like which.
 */
session: string, 
/**
 * As in [`NewSession::base_env`].
 */
base_env: Array<EnvVar> | null, } } | { "method": "kill_session", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "hibernate_session", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "measure_sessions", "params": { 
/**
 * Which; none: all that live.
 */
sessions: Array<SessionId> | null, } } | { "method": "read_usage", "params": ReadUsage } | { "method": "restart_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * In a new conversation, whatever there is of the one that it is in.
 */
anew: boolean, 
/**
 * As in [`NewSession::base_env`].
 */
base_env: Array<EnvVar> | null, } } | { "method": "resume_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * The directory that it works in from now on; none: as before.
 */
cwd: string | null, 
/**
 * As in [`NewSession::base_env`].
 */
base_env: Array<EnvVar> | null, } } | { "method": "resume_all", "params": { 
/**
 * Which; none: all that were alive when the machine went down or their keepers were lost.
 */
sessions: Array<SessionId> | null, 
/**
 * As in [`NewSession::base_env`].
 */
base_env: Array<EnvVar> | null, } } | { "method": "resume_conversation", "params": ResumeConversation } | { "method": "fork_session", "params": ForkSession } | { "method": "list_conversations", "params": List } | { "method": "search_text", "params": Search } | { "method": "hide_conversation", "params": { 
/**
 * The agent's id.
 */
agent: string, 
/**
 * The agent's own id of it.
 */
id: string, 
/**
 * Hide it.
 */
hidden: boolean, } } | { "method": "read_transcript", "params": ReadTranscript } | { "method": "list_ledger", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "adopt_session", "params": { 
/**
 * A session of kind local, or a pane as tmux names it: `%5`, `main:1.0`, with `SOCKET:` in front where it is needed.
 */
target: string, } } | { "method": "end_local", "params": { 
/**
 * Which; of kind local.
 */
session: string, 
/**
 * The process that the person saw; another one is not ended.
 */
pid: number, } } | { "method": "remove_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * For good, at once.
 */
now: boolean, 
/**
 * End its program first.
 */
kill: boolean, } } | { "method": "restore_session", "params": { 
/**
 * Which.
 */
session: SessionId, } } | { "method": "archive_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * In or out.
 */
archived: boolean, } } | { "method": "move_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * New project.
 */
project: ProjectId | null, 
/**
 * New group.
 */
group: GroupId | null, 
/**
 * New place, between its new neighbours' positions.
 */
position: number | null, } } | { "method": "mark_session", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * Keep it at the top, or no longer.
 */
pinned: boolean | null, 
/**
 * Let it call nobody, or let it call again.
 */
muted: boolean | null, 
/**
 * Let it call nobody for so many seconds from now, at most a week; 0 lets it call again.
 */
snooze_seconds: number | null, } } | { "method": "add_project", "params": { 
/**
 * Absolute, or starting with `~`; must be there.
 */
path: string, 
/**
 * None takes the directory's.
 */
name: string | null, } } | { "method": "change_project", "params": { 
/**
 * Which.
 */
project: ProjectId, 
/**
 * 1 to 200 characters.
 */
name: string | null, 
/**
 * New place, between its new neighbours' positions.
 */
position: number | null, 
/**
 * What new sessions begin with.
 */
defaults: ProjectDefaults | null, } } | { "method": "remove_project", "params": { 
/**
 * Which.
 */
project: ProjectId, } } | { "method": "add_group", "params": { 
/**
 * In which project.
 */
project: ProjectId, 
/**
 * In which group of that project.
 */
parent: GroupId | null, 
/**
 * 1 to 200 characters.
 */
name: string, 
/**
 * Its colour.
 */
color: GroupColor | null, } } | { "method": "change_group", "params": { 
/**
 * Which.
 */
group: GroupId, 
/**
 * The group it is in from now on, of the same project and not inside it; none puts it at the project's top.
 */
parent: GroupId | null, 
/**
 * 1 to 200 characters.
 */
name: string, 
/**
 * Its colour.
 */
color: GroupColor | null, 
/**
 * Its place, between its new neighbours' positions.
 */
position: number, } } | { "method": "remove_group", "params": { 
/**
 * Which.
 */
group: GroupId, } } | { "method": "workspace", "params": WorkspaceRequest } | { "method": "changes", "params": ChangesRequest } | { "method": "pull_request", "params": PullRequestRequest } | { "method": "mark_seen", "params": { 
/**
 * Which.
 */
session: SessionId, } } | { "method": "read_screen", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * Keep colours and styles as escape sequences.
 */
ansi: boolean, 
/**
 * That many lines of scrollback before the screen.
 */
scrollback: number, } } | { "method": "send_message", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * The text; control characters but newline and tab are taken out.
 */
text: string, 
/**
 * Do not wait for the session to be free.
 */
now: boolean, } } | { "method": "answer_ask", "params": { 
/**
 * Which session.
 */
session: string, 
/**
 * A choice's key, else its exact label; none where only a text is given.
 */
choice: string | null, 
/**
 * A text, for choices and questions that take one.
 */
text: string | null, 
/**
 * The fingerprint of the dialog that the person saw; none answers whatever is open.
 */
fingerprint: string | null, } } | { "method": "explain_session", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "list_history", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * At most so many; more than 500 are not given.
 */
limit: number, } } | { "method": "read_prompt", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "save_attachment", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * What the file is called; its letters that are no use in a path are left out.
 */
name: string, 
/**
 * The file that this piece goes on with, as the answer to the first piece called it.
 */
file: string | null, 
/**
 * Bytes that came before.
 */
offset: number, 
/**
 * The piece, as base64.
 */
data: string, } } | { "method": "list_messages", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "cancel_message", "params": { 
/**
 * Which.
 */
message: MessageId, } } | { "method": "hook_event", "params": { 
/**
 * The session that the hook was made for.
 */
session: SessionId, 
/**
 * The secret that its run was given at launch.
 */
secret: string, 
/**
 * The hook's name, in the agent's words.
 */
name: string, 
/**
 * When it was called, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * What the agent said, at most 64 KiB of JSON.
 */
payload: unknown, } } | { "method": "send_keys", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * In order.
 */
keys: Array<string>, } } | { "method": "open_view", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * Chosen by the client.
 */
view: ViewId, 
/**
 * The view's size.
 */
size: Size, 
/**
 * Make that the session's size now.
 */
focus: boolean, 
/**
 * Bytes that the client can take to begin with.
 */
credit: number, } } | { "method": "close_view", "params": { 
/**
 * Which.
 */
view: ViewId, } } | { "method": "resize_view", "params": { 
/**
 * Which.
 */
view: ViewId, 
/**
 * The size.
 */
size: Size, } } | { "method": "focus_view", "params": { 
/**
 * Which.
 */
view: ViewId, 
/**
 * Whether it has the keyboard now; tells programs that asked for focus reports.
 */
focused: boolean, } } | { "method": "hold_view", "params": { 
/**
 * Which.
 */
view: ViewId, 
/**
 * On or off.
 */
held: boolean, } } | { "method": "fetch_scrollback", "params": { 
/**
 * Which.
 */
view: ViewId, } } | { "method": "export_asciicast", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * Chosen by the client.
 */
stream: StreamId, } } | { "method": "export_markdown", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * Chosen by the client.
 */
stream: StreamId, } } | { "method": "export_conversation", "params": { 
/**
 * The agent's id.
 */
agent: string, 
/**
 * The agent's own id of it.
 */
id: string, 
/**
 * Chosen by the client.
 */
stream: StreamId, } } | { "method": "show_recording", "params": { 
/**
 * Which.
 */
session: string, } } | { "method": "read_recording", "params": { 
/**
 * Which.
 */
session: string, 
/**
 * Where it is to begin, in milliseconds of the recording's own clock.
 */
from: number, 
/**
 * A picture is wanted even where the last piece ended there.
 */
picture: boolean, 
/**
 * About how much output is wanted, in bytes; 0 for the picture alone, at most 4 MiB.
 */
bytes: number, 
/**
 * Chosen by the client.
 */
stream: StreamId, } } | { "method": "list_agents", "params": { 
/**
 * Look again, and ask for versions.
 */
refresh: boolean, } } | { "method": "complete_directory", "params": { 
/**
 * What was typed; `~` is the home directory.
 */
prefix: string, } } | { "method": "recent_directories" } | { "method": "launch_defaults", "params": { 
/**
 * The directory.
 */
cwd: string, } } | { "method": "get_setting", "params": { 
/**
 * Dotted name, such as `window.main.layout`.
 */
name: string, } } | { "method": "put_setting", "params": { 
/**
 * Dotted name.
 */
name: string, 
/**
 * Any JSON; null removes it.
 */
value: unknown, } } | { "method": "get_settings" } | { "method": "make_settings_file" } | { "method": "change_setting", "params": { 
/**
 * A dotted key as TOML writes it, such as `notifications.sounds` or `agents.claude.args`. What follows `keys.` is a
 * command's name as it is.
 */
path: string, 
/**
 * As JSON; null takes the key out, which brings back the default.
 */
value: unknown, } } | { "method": "list_notifications" } | { "method": "mark_notifications_read", "params": { 
/**
 * That one and all before it; none means all.
 */
up_to: NotificationId | null, } } | { "method": "test_notification", "params": { 
/**
 * Of which kind.
 */
kind: NotificationKind, } } | { "method": "set_colors", "params": { 
/**
 * Foreground, `#rrggbb`.
 */
foreground: string, 
/**
 * Background, `#rrggbb`.
 */
background: string, 
/**
 * Cursor, `#rrggbb`.
 */
cursor: string, 
/**
 * The sixteen ANSI colours.
 */
ansi: Array<string>, 
/**
 * The scheme is dark.
 */
dark: boolean, } } | { "method": "focus_window", "params": { 
/**
 * Which.
 */
session: string | null, 
/**
 * The one that needs the person; `session` is not looked at.
 */
next: boolean, } } | { "method": "daemon_status" } | { "method": "check_database" } | { "method": "stop_daemon" };

/**
 * Which conversation is to go on, and where: see [`crate::Request::ResumeConversation`].
 */
export type ResumeConversation = { 
/**
 * The agent's id.
 */
agent: string, 
/**
 * The agent's own id of the conversation; of Aider, the path of its history file.
 */
id: string, 
/**
 * The directory; none: the one that it belongs to, as far as that can be found.
 */
cwd: string | null, 
/**
 * The new session's name.
 */
name: string | null, 
/**
 * In a copy of it, in a new session: the conversation is not touched, and may go on elsewhere. An agent that has no fork is
 * refused with [`crate::ErrorCode::Unsupported`].
 */
fork: boolean, 
/**
 * In a new conversation, whose first prompt has it read a text of what was said: works in any directory, and with every
 * agent that takes a prompt. The conversation itself is only read.
 */
handover: boolean, 
/**
 * As in [`crate::launch::NewSession::base_env`].
 */
base_env: Array<EnvVar> | null, };

/**
 * What reviewers decided.
 */
export type Review = "required" | "approved" | "changes_requested";

/**
 * What a reviewer wrote.
 */
export type ReviewComment = { 
/**
 * Who.
 */
author: string, 
/**
 * At which file.
 */
path: string | null, 
/**
 * At which line of it.
 */
line: number | null, 
/**
 * What; at most 4,000 characters.
 */
text: string, };

/**
 * How much there is to lose.
 */
export type Risk = "low" | "medium" | "high";

/**
 * What is searched.
 */
export type Role = "title" | "prompt" | "answer" | "thought" | "tool" | "result" | "scrollback";

/**
 * One life of a session's program.
 */
export type Run = { 
/**
 * Its id.
 */
id: RunId, 
/**
 * When it was started.
 */
started_at: string, 
/**
 * When it ended.
 */
ended_at: string | null, 
/**
 * How it ended.
 */
exit: Exit | null, 
/**
 * The program's process id.
 */
pid: number | null, 
/**
 * The keeper's process id.
 */
keeper_pid: number | null, };

/**
 * A command that can be run beside the agent.
 */
export type RunCommand = { 
/**
 * Its name: `dev`.
 */
name: string, 
/**
 * Run by `sh`.
 */
command: string, };

/**
 * One life of a session's program: one keeper, one PTY.
 */
export type RunId = string;

/**
 * A session that runs a command of a workspace, such as a dev server, beside the agent.
 */
export type RunsFor = { 
/**
 * The session in whose workspace it runs.
 */
session: SessionId, 
/**
 * The command's name: `dev`; `setup` and `teardown` for those scripts.
 */
name: string, };

/**
 * What was said or done.
 */
export type Said = { "kind": "prompt" } & Text | { "kind": "answer" } & Text | { "kind": "thought" } & Text | { "kind": "tool" } & ToolCall | { "kind": "result", 
/**
 * [`ToolCall::call`].
 */
call: string, 
/**
 * What it gave.
 */
output: Text, 
/**
 * It failed, or was not allowed.
 */
failed: boolean, 
/**
 * What it changed, as a unified diff, where the agent writes that down only now; it knows the places, which
 * [`ToolCall::diff`] may not.
 */
diff: Text | null, 
/**
 * The subagent that did it, where one did.
 */
subagent: string | null, } | { "kind": "todos", 
/**
 * In their order.
 */
items: Array<Todo>, } | { "kind": "image", 
/**
 * `image/png`, …
 */
media_type: string, 
/**
 * Its size in bytes; 0 where that is not known.
 */
bytes: number, } | { "kind": "note", 
/**
 * What kind.
 */
note: Note, 
/**
 * In the agent's words.
 */
text: Text, };

/**
 * What an observation says of the session.
 */
export type Says = "starting" | "working" | "asking" | "idle" | "done" | "failed" | "blocked" | "gone";

/**
 * A screen as text.
 */
export type Screen = { 
/**
 * Lines joined by newlines, trailing blanks cut; escape sequences only where asked for.
 */
text: string, 
/**
 * The terminal's size.
 */
size: Size, 
/**
 * Cursor column, 0 at the left.
 */
cursor_col: number, 
/**
 * Cursor row, 0 at the top of the screen.
 */
cursor_row: number, 
/**
 * Whether the cursor shows.
 */
cursor_visible: boolean, 
/**
 * The alternate screen is on.
 */
alternate: boolean, 
/**
 * The terminal's title.
 */
title: string | null, 
/**
 * Source bytes printed by the run so far.
 */
offset: number, };

/**
 * The scripts that come with a repository, for the person to read before they run.
 */
export type Scripts = { 
/**
 * The repository's main checkout, which trust is given to together with the content.
 */
repository: string, 
/**
 * What `.belfry.toml` says; scripts of the project's own settings are not in it, they are the person's.
 */
rules: WorkspaceRules, 
/**
 * Hash of exactly this content. Another content asks again.
 */
hash: string, 
/**
 * The person has trusted this content.
 */
trusted: boolean, 
/**
 * The content that was trusted before, where it was another.
 */
before: WorkspaceRules | null, 
/**
 * What is wrong with the file, where it cannot be read.
 */
error: string | null, };

/**
 * What is looked for in conversations and in what terminals showed.
 */
export type Search = { 
/**
 * What was typed. Every word has to be there; the last one is a beginning, and what is in quotation marks is looked for as it is.
 */
text: string, 
/**
 * Of these agents; of all where there are none.
 */
agents: Array<string>, 
/**
 * In this directory or below it.
 */
directory: string | null, 
/**
 * Only in these kinds of entries; in all where there are none.
 */
roles: Array<Role>, 
/**
 * Also in what the sessions' terminals showed, alive or dead: [`HitPlace::Line`] is understood. Private ones are in no index.
 */
scrollback: boolean, 
/**
 * In conversations that changed a file with this in its path.
 */
file: string | null, 
/**
 * Also those that are hidden.
 */
hidden: boolean, 
/**
 * Said at or after this.
 */
since: string | null, 
/**
 * Said before this.
 */
before: string | null, 
/**
 * So many of the first are left out.
 */
skip: number, 
/**
 * At most so many.
 */
limit: number, };

/**
 * A session as clients see it; fields are added, never taken away.
 */
export type Session = { 
/**
 * Its id.
 */
id: SessionId, 
/**
 * Given, else from the first prompt, else from the program and directory.
 */
name: string, 
/**
 * The kind of program: `claude`, `codex`, …, `shell`.
 */
agent: string, 
/**
 * Started by Belfry or found.
 */
kind: Kind, 
/**
 * The one word.
 */
status: Status, 
/**
 * Why, where the status has reasons: `machine restarted`, `exit 1`, `usage limit`.
 */
reason: string | null, 
/**
 * What it does just now.
 */
activity: string | null, 
/**
 * When it began to do that, where it does something.
 */
activity_since: string | null, 
/**
 * Which source the status comes from: `process`, `output`, …
 */
source: string, 
/**
 * When it entered this status.
 */
since: string, 
/**
 * Something happened that was not looked at.
 */
unseen: boolean, 
/**
 * The open question.
 */
ask: Ask | null, 
/**
 * The directory it was started in.
 */
cwd: string, 
/**
 * Its project.
 */
project: ProjectId | null, 
/**
 * Its group.
 */
group: GroupId | null, 
/**
 * Place among its siblings, ascending.
 */
position: number, 
/**
 * The branch its directory is on, where that is a repository.
 */
branch: string | null, 
/**
 * How its directory was made.
 */
workspace: WorkspaceKind, 
/**
 * Its workspace, where its directory was made for it.
 */
workspace_id: WorkspaceId | null, 
/**
 * What its first prompt waits for, and why its workspace is not ready.
 */
preparing: Preparing | null, 
/**
 * Taken from what was made ahead, and nothing was said to it yet: it is in no list until then.
 */
unspoken: boolean, 
/**
 * What its directory has that its base has not; none where it is in no repository or nothing is known yet.
 */
changes: ChangeCounts | null, 
/**
 * Its pull request.
 */
pull_request: PullRequest | null, 
/**
 * The session beside which it runs a command of the workspace.
 */
runs_for: RunsFor | null, 
/**
 * Ports on which its processes listen, where it runs a command of a workspace.
 */
listening: Array<number>, 
/**
 * The agent's own id of the newest conversation.
 */
conversation_id: string | null, 
/**
 * The session that started it.
 */
started_by: SessionId | null, 
/**
 * The session whose conversation it began with a copy or a handover of.
 */
forked_from: SessionId | null, 
/**
 * Open views, of all clients.
 */
views: number, 
/**
 * The program's process id while it lives.
 */
pid: number | null, 
/**
 * How the newest run ended.
 */
exit: Exit | null, 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, 
/**
 * The terminal's title, without control characters.
 */
title: string | null, 
/**
 * The program and its arguments, as they were started. Prompts and secrets are never in it.
 */
command: Array<string>, 
/**
 * The model asked for.
 */
model: string | null, 
/**
 * Names of the environment variables given for it; values are not kept here.
 */
env_names: Array<string>, 
/**
 * Where it is, where Belfry did not start it.
 */
local: Local | null, 
/**
 * The agent that was started by hand in it and has its terminal.
 */
guest: string | null, 
/**
 * Nothing of it is written to disk.
 */
private: boolean, 
/**
 * Its runs, newest first, at most the last ten.
 */
runs: Array<Run>, 
/**
 * Messages that wait to be delivered.
 */
queued: number, 
/**
 * Something the person should know: the disk was full, output was skipped while no daemon ran.
 */
notice: string | null, 
/**
 * When it was made.
 */
created_at: string, 
/**
 * Last output or input, to a second or so.
 */
last_activity_at: string, 
/**
 * When it was last looked at.
 */
last_seen_at: string | null, 
/**
 * When it was archived.
 */
archived_at: string | null, 
/**
 * The person keeps it at the top.
 */
pinned: boolean, 
/**
 * It calls nobody: no notification, no sound.
 */
muted: boolean, 
/**
 * It calls nobody before then.
 */
snoozed_until: string | null, 
/**
 * When it was put in the trash; removed a day later.
 */
trashed_at: string | null, };

/**
 * What a session takes, with its keeper and all that was started in it.
 */
export type SessionFigures = { 
/**
 * Which.
 */
id: SessionId, 
/**
 * Processes.
 */
processes: number, 
/**
 * Bytes of memory. Pages that several processes share count for each by its share (PSS), so that the sum of all sessions
 * is what they take together.
 */
memory: number, 
/**
 * The shares of some process are not ours to read: all that it has in memory is counted (RSS), and the sum is too large.
 */
estimated: boolean, 
/**
 * Processor time that was used so far, in milliseconds, of processes that have ended too.
 */
cpu_ms: number, };

/**
 * One terminal with a program in it, and Belfry's durable record of it.
 */
export type SessionId = string;

/**
 * What becomes of sessions that have ended, and of those that Belfry did not start.
 */
export type Sessions = { 
/**
 * Those that were alive when the machine went down are resumed once Belfry runs again.
 */
resume_after_reboot: boolean, 
/**
 * Sessions that Belfry did not start are looked for on this machine.
 */
find: boolean, 
/**
 * Agents that are found in tmux are adopted by themselves.
 */
adopt: boolean, };

/**
 * All settings.
 */
export type Settings = { 
/**
 * How the window looks.
 */
appearance: Appearance, 
/**
 * Letters in terminals.
 */
fonts: Fonts, 
/**
 * How terminals behave.
 */
terminal: TerminalSettings, 
/**
 * Keys of the window's commands that are not the usual ones: a command's name to its key combinations, such as
 * `Ctrl+Shift+K`. An empty list leaves the command without a key.
 */
keys: { [key in string]: Array<string> }, 
/**
 * What calls the person, when and how loudly.
 */
notifications: Notifications, 
/**
 * The icon in the desktop's tray.
 */
tray: Tray, 
/**
 * Keys that work in the whole desktop.
 */
shortcut: Shortcut, 
/**
 * What an agent is started with, by its id.
 */
agents: { [key in string]: AgentSettings }, 
/**
 * Where new sessions work.
 */
workspaces: Workspaces, 
/**
 * What becomes of sessions that have ended.
 */
sessions: Sessions, 
/**
 * When idle sessions are put to sleep by themselves.
 */
hibernate: Hibernate, 
/**
 * What is kept, and for how long.
 */
privacy: Privacy, };

/**
 * Something wrong in the file.
 */
export type SettingsFault = { 
/**
 * Line, from 1; 0 where it is about the whole file.
 */
line: number, 
/**
 * Column in characters, from 1; 0 where it is about the whole file.
 */
column: number, 
/**
 * What is wrong, in one sentence.
 */
text: string, };

/**
 * The settings in force, and what is wrong with their file.
 */
export type SettingsState = { 
/**
 * In force; where there is an error, those of before it.
 */
settings: Settings, 
/**
 * Absolute path of the file, which need not be there.
 */
file: string, 
/**
 * Why the file is not in force.
 */
error: SettingsFault | null, 
/**
 * What in it has no effect.
 */
warnings: Array<SettingsFault>, 
/**
 * With an error: no file without one is known, and the defaults are in force.
 */
defaults: boolean, };

/**
 * Keys that work in the whole desktop.
 */
export type Shortcut = { 
/**
 * Shows the window at the oldest question, and hides it again: such as `Ctrl+Alt+B`; empty for none.
 */
show: string, };

/**
 * A line that a session's terminal showed.
 */
export type ShownLine = { 
/**
 * The session.
 */
session: SessionId, 
/**
 * Its name.
 */
name: string, 
/**
 * Its agent.
 */
agent: string, 
/**
 * Its directory.
 */
cwd: string, 
/**
 * Its program goes on.
 */
alive: boolean, 
/**
 * The run that showed it.
 */
run: RunId, 
/**
 * Bytes that the run's program had printed when it was there; [`Hit::at`] is when that was, so that the recording can be
 * played from there.
 */
offset: number, };

/**
 * A terminal's size in cells.
 */
export type Size = { 
/**
 * Columns, 2 to 1000.
 */
cols: number, 
/**
 * Rows, 1 to 1000.
 */
rows: number, };

/**
 * Where an observation comes from.
 */
export type Source = "process" | "program" | "registry" | "api" | "hook" | "transcript" | "title" | "progress" | "notification" | "modes" | "screen" | "foreground" | "shell" | "output" | "report";

/**
 * How much of a file's uncommitted change is staged.
 */
export type Staged = "committed" | "none" | "part" | "all";

/**
 * The one word shown for a session.
 */
export type Status = "starting" | "running" | "waiting" | "blocked" | "idle" | "dead" | "unknown";

/**
 * One change of status.
 */
export type StatusChange = { 
/**
 * When.
 */
at: string, 
/**
 * From.
 */
from: Status, 
/**
 * To.
 */
to: Status, 
/**
 * The reason or activity that it came with.
 */
reason: string | null, 
/**
 * The source that decided.
 */
source: string, 
/**
 * What was seen.
 */
what: string, };

/**
 * What `--status` and `--until` take: a status, or `done`, which is idle and unseen.
 */
export type StatusFilter = "done" | Status;

/**
 * A stream of [`crate::frame::Frame::Blob`] pieces; unique in its connection, chosen by the client.
 */
export type StreamId = number;

/**
 * How terminals behave.
 */
export type TerminalSettings = { 
/**
 * What is selected goes to the clipboard.
 */
copy_on_select: boolean, 
/**
 * Rows are offered to screen readers. It costs time where much is printed.
 */
screen_reader: boolean, 
/**
 * How cells are drawn.
 */
renderer: Renderer, 
/**
 * Agents' terminals have a box for messages under them.
 */
message_box: boolean, };

/**
 * A text of at most 64 KiB.
 */
export type Text = { 
/**
 * Its beginning, where it was cut.
 */
text: string, 
/**
 * Bytes that are missing at the end.
 */
cut: number, };

/**
 * Dark or light.
 */
export type ThemeChoice = "system" | "dark" | "light";

/**
 * A pane of a tmux server, which cannot be taken for a later one.
 */
export type TmuxPane = { 
/**
 * Path of the server's socket.
 */
socket: string, 
/**
 * The server's process id.
 */
server_pid: number, 
/**
 * When the server started, as the system counts it.
 */
server_start: number, 
/**
 * The pane's number: what follows `%` in its id.
 */
pane: number, };

/**
 * One thing to do.
 */
export type Todo = { 
/**
 * What.
 */
text: string, 
/**
 * How far it is.
 */
progress: Progress, };

/**
 * A tool that was called.
 */
export type ToolCall = { 
/**
 * The agent's own id of the call.
 */
call: string, 
/**
 * The tool: `Bash`, `apply_patch`, …
 */
name: string, 
/**
 * What it is about, in one line of at most 200 characters: the command, the file, the address.
 */
about: string | null, 
/**
 * Its arguments, as the agent wrote them down: JSON, or plain text.
 */
arguments: Text, 
/**
 * Files that it changes, as the agent named them.
 */
files: Array<string>, 
/**
 * What it changes in them, as a unified diff.
 */
diff: Text | null, };

/**
 * The icon in the desktop's tray.
 */
export type Tray = { 
/**
 * There is one.
 */
show: boolean, 
/**
 * Closing the window leaves it in the tray.
 */
close_to_tray: boolean, };

/**
 * What a conversation has used, in tokens, as its agent counted.
 */
export type Usage = { 
/**
 * Sent to the model and not read from its cache.
 */
input: number, 
/**
 * Written by the model.
 */
output: number, 
/**
 * Read from the model's cache.
 */
cache_read: number, 
/**
 * Written to the model's cache.
 */
cache_write: number, 
/**
 * What the last request filled of the model's context.
 */
context: number | null, 
/**
 * How much the context holds, where the agent says so.
 */
context_size: number | null, 
/**
 * US dollars, where the agent gives prices.
 */
cost: number | null, 
/**
 * The agent guessed, or part of its records could not be read.
 */
estimated: boolean, };

/**
 * By what it is added up.
 */
export type UsageBy = "session" | "project" | "day";

/**
 * What was used.
 */
export type UsageReport = { 
/**
 * Days in their order; sessions and projects with those first that have used most.
 */
rows: Array<UsageRow>, 
/**
 * How far reading the agents' records is: what has not been read yet is not counted.
 */
indexing: Indexing, };

/**
 * What was used by one of them.
 */
export type UsageRow = { 
/**
 * The day (`2026-11-30`), the session's or the project's name, or the agent's id.
 */
name: string, 
/**
 * The session, where it is one.
 */
session: SessionId | null, 
/**
 * The project, where it is one, or the session is in one.
 */
project: ProjectId | null, 
/**
 * The agent, where there is one.
 */
agent: string | null, 
/**
 * Tokens, and cost where the agent gives prices; `estimated` where an agent guessed.
 */
usage: Usage, 
/**
 * Milliseconds in which it worked, of what is kept of its changes of status. Sessions that work at once add up.
 */
working_ms: number, 
/**
 * Milliseconds in which it waited for the person.
 */
waiting_ms: number, };

/**
 * One client's live look at a session; unique in its connection, chosen by the client.
 */
export type ViewId = number;

/**
 * What the clock on the wall showed at a place of a recording.
 */
export type WallClock = { 
/**
 * Where, in milliseconds.
 */
at: number, 
/**
 * Milliseconds since 1970.
 */
wall: number, };

/**
 * What is made ahead of a session.
 */
export type Warm = "off" | "directory" | "agent";

/**
 * What became of an observation.
 */
export type Weight = "decided" | "agrees" | "overruled" | "expired" | "adds";

/**
 * An error as it crosses a socket.
 */
export type WireError = { 
/**
 * For a program.
 */
code: ErrorCode, 
/**
 * What happened, in one sentence, for a person.
 */
message: string, 
/**
 * What was kept, where that is in doubt.
 */
kept?: string | null, 
/**
 * What to do next, where there is something.
 */
next?: string | null, };

/**
 * A directory that sessions work in, as clients see it.
 */
export type Workspace = { 
/**
 * Its id; none where it is a worktree of a project's repository that Belfry did not make.
 */
id: WorkspaceId | null, 
/**
 * How it was made.
 */
kind: WorkspaceKind, 
/**
 * Where it is, absolute.
 */
path: string, 
/**
 * The repository that it was made from: its main checkout, or a clone's address.
 */
repository: string | null, 
/**
 * The project that it belongs to.
 */
project: ProjectId | null, 
/**
 * The branch that it is on; none where its head is detached.
 */
branch: string | null, 
/**
 * What its branch started from, as it was asked for: `origin/main`.
 */
base: string | null, 
/**
 * How far it is.
 */
state: WorkspaceState, 
/**
 * Sessions that work in it, trashed ones too. None: an orphan.
 */
sessions: Array<SessionId>, 
/**
 * The ports that are its own.
 */
ports: PortRange | null, 
/**
 * Bytes on disk that removing it would free, links and shared blocks counted as if they were its own. None where it was not
 * asked for.
 */
disk: number | null, 
/**
 * When it was made.
 */
created_at: string | null, 
/**
 * What the person should know of it, in one sentence.
 */
notice: string | null, };

/**
 * A directory that was made for sessions to work in.
 */
export type WorkspaceId = string;

/**
 * The directory a session works in, by kind.
 */
export type WorkspaceKind = "directory" | "worktree" | "clone" | "scratch";

/**
 * Requests about workspaces. `session` is as in [`crate::Request`]; `workspace` is an id, a path, or a session that works in it.
 */
export type WorkspaceRequest = { "do": "list", 
/**
 * Measure what each takes on disk, which can take a while.
 */
disk: boolean, } | { "do": "losses", 
/**
 * Which.
 */
workspace: string, } | { "do": "remove", 
/**
 * Which.
 */
workspace: string, 
/**
 * [`Losses::fingerprint`] of what the person saw.
 */
seen: string | null, } | { "do": "restore", 
/**
 * Which.
 */
workspace: string, } | { "do": "clean" } | { "do": "skip_setup", 
/**
 * Which.
 */
session: string, } | { "do": "run_setup", 
/**
 * Which.
 */
session: string, } | { "do": "scripts", 
/**
 * Any directory in it, absolute or starting with `~`.
 */
directory: string, } | { "do": "trust", 
/**
 * Any directory in it.
 */
directory: string, 
/**
 * [`Scripts::hash`] of what the person read.
 */
hash: string, } | { "do": "run", 
/**
 * The session in whose directory.
 */
session: string, 
/**
 * The command's name.
 */
name: string, } | { "do": "branches", 
/**
 * A directory, absolute or starting with `~`.
 */
directory: string, } | { "do": "leave", 
/**
 * Which.
 */
session: SessionId, } | { "do": "clone_project", 
/**
 * As `git clone` takes it.
 */
url: string, 
/**
 * The new directory; none: one of the repository's name, in the directory that holds most projects.
 */
path: string | null, 
/**
 * The project's name; none: the repository's.
 */
name: string | null, 
/**
 * As in [`crate::launch::NewSession::base_env`]: git's and ssh's own credentials come with it.
 */
base_env: Array<EnvVar> | null, } | { "do": "cancel_clone", 
/**
 * Which.
 */
id: ProjectId, };

/**
 * What a workspace is made with, from `.belfry.toml` and the project's own settings, which come first.
 */
export type WorkspaceRules = { 
/**
 * Run by `sh` in a new workspace before the first prompt.
 */
setup?: string, 
/**
 * Run by `sh` before it is removed.
 */
teardown?: string, 
/**
 * Commands that can be run beside the agent.
 */
run: Array<RunCommand>, 
/**
 * Patterns as in `.gitignore` of ignored files that are copied from the project's directory, beside those of
 * `.worktreeinclude`.
 */
copy: Array<string>, 
/**
 * Ignored directories that are linked to the project's own: shared.
 */
link: Array<string>, 
/**
 * What new branches start from; none: the remote's default branch, else the branch that the project is on.
 */
base?: string, 
/**
 * Keep one workspace made ahead.
 */
warm?: Warm, };

/**
 * How far a workspace is.
 */
export type WorkspaceState = { "is": "making", 
/**
 * At what: `fetching`, `checking out`, `copying`.
 */
step: string, } | { "is": "setting_up", 
/**
 * The session that shows the script's output.
 */
session: SessionId | null, } | { "is": "ready" } | { "is": "setup_failed", 
/**
 * In one sentence.
 */
why: string, } | { "is": "untrusted" } | { "is": "warm" } | { "is": "removed", 
/**
 * When it is deleted for good.
 */
until: string, } | { "is": "missing" };

/**
 * Where new sessions work.
 */
export type Workspaces = { 
/**
 * How a new session's directory is made where neither the person nor its project says otherwise.
 */
kind: WorkspaceKind, 
/**
 * The first port that workspaces are given, 1024 to 65535.
 */
first_port: number, 
/**
 * The last one.
 */
last_port: number, 
/**
 * How many each of them is given, 1 to 100.
 */
ports: number, };
