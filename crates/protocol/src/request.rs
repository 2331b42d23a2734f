//! Everything a client can ask for, declared once.

use serde::{Deserialize, Serialize};

use crate::changes::ChangesRequest;
use crate::conversation::{ForkSession, ResumeConversation};
use crate::ids::{GroupId, MessageId, NotificationId, ProjectId, SessionId, StreamId, ViewId};
use crate::launch::{NewSession, Size};
use crate::notification::NotificationKind;
use crate::pull_request::PullRequestRequest;
use crate::session::{GroupColor, ProjectDefaults, StatusFilter};
use crate::transcript::ReadTranscript;
use crate::workspace::WorkspaceRequest;

/// A request. `session` is an id, a unique prefix of one, or a name, unless it is typed as an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum Request {
    /// Answered by [`crate::Reply::Done`]: the daemon lives.
    Ping,
    /// Answered by [`crate::Reply::Overview`]; from then on every event is sent, in order, none missed in between. Where the
    /// overview has `more`, the rest of its sessions follows at once as [`crate::Event::Session`], and then
    /// [`crate::Event::OverviewEnd`]: only then is a session that was not named one that is not there.
    Subscribe,
    /// Answered by [`crate::Reply::Session`] once the program runs.
    NewSession(Box<NewSession>),
    /// Answered by [`crate::Reply::Sessions`], with as many as fit in one frame. The others come when it is asked again with
    /// `after`, until there are none.
    ListSessions {
        /// Only these; empty means all.
        #[serde(default)]
        status: Vec<StatusFilter>,
        /// Archived, trashed and local ones too.
        #[serde(default)]
        all: bool,
        /// Only those that come after this one.
        #[serde(default)]
        after: Option<SessionId>,
    },
    /// Answered by [`crate::Reply::Session`].
    ShowSession {
        /// Which.
        session: String,
    },
    /// Answered by [`crate::Reply::Session`].
    RenameSession {
        /// Which.
        session: String,
        /// 1 to 200 characters.
        name: String,
    },
    /// Starts a session like another: the same agent, directory, arguments, model, system prompt and variables, in the same
    /// project and group. Neither its conversation nor its first prompt. Answered by [`crate::Reply::Session`].
    DuplicateSession {
        /// Like which.
        session: String,
        /// As in [`NewSession::base_env`].
        #[serde(default)]
        base_env: Option<Vec<crate::launch::EnvVar>>,
    },
    /// Ends the program: HUP, TERM, KILL. Answered by [`crate::Reply::Session`] once it is dead.
    KillSession {
        /// Which.
        session: String,
    },
    /// Puts a session to sleep: its program ends, its conversation is resumed by a message or by
    /// [`Request::ResumeSession`]. Refused where that could lose something: it works or asks, something is half typed or
    /// queued, something runs in its background, or its conversation cannot be resumed. Answered by
    /// [`crate::Reply::Session`] once it sleeps.
    HibernateSession {
        /// Which.
        session: String,
    },
    /// What sessions take of the machine at this moment, each with all the processes that it has started. Answered by
    /// [`crate::Reply::Figures`].
    MeasureSessions {
        /// Which; none: all that live.
        #[serde(default)]
        sessions: Option<Vec<SessionId>>,
    },
    /// Tokens, cost, and time at work and waiting, of sessions, projects or days. Answered by [`crate::Reply::Usage`].
    ReadUsage(Box<crate::usage::ReadUsage>),
    /// Starts a new run: in the conversation that the session is in, where its agent can go on with one and it is still
    /// there, else in a new one, which the session's notice says. Answered by [`crate::Reply::Session`]. A live session is
    /// refused, and so is a conversation that goes on elsewhere.
    RestartSession {
        /// Which.
        session: String,
        /// In a new conversation, whatever there is of the one that it is in.
        #[serde(default)]
        anew: bool,
        /// As in [`NewSession::base_env`].
        #[serde(default)]
        base_env: Option<Vec<crate::launch::EnvVar>>,
    },
    /// Goes on in the conversation of a session whose program has ended, as a new run of it. Where nothing was said yet, or the
    /// agent has no conversations, its program is started again. A conversation that goes on elsewhere is refused with
    /// [`crate::ErrorCode::ConversationLive`], one that is gone with [`crate::ErrorCode::ConversationGone`]. Answered by
    /// [`crate::Reply::Session`].
    ResumeSession {
        /// Which.
        session: String,
        /// The directory that it works in from now on; none: as before.
        #[serde(default)]
        cwd: Option<String>,
        /// As in [`NewSession::base_env`].
        #[serde(default)]
        base_env: Option<Vec<crate::launch::EnvVar>>,
    },
    /// Resumes several sessions, two at a time. Answered by [`crate::Reply::Sessions`] with those that are to be resumed, at
    /// once; how far they are their records tell, and their notices where one could not be.
    ResumeAll {
        /// Which; none: all that were alive when the machine went down or their keepers were lost.
        #[serde(default)]
        sessions: Option<Vec<SessionId>>,
        /// As in [`NewSession::base_env`].
        #[serde(default)]
        base_env: Option<Vec<crate::launch::EnvVar>>,
    },
    /// Goes on in any conversation of this machine: in a new session, or in the one that had it last and has ended. Refused as
    /// [`Request::ResumeSession`] is. Answered by [`crate::Reply::Session`].
    ResumeConversation(Box<ResumeConversation>),
    /// Starts a session that knows all that was said in another one, which is not touched: both go on apart. An agent that
    /// has no fork is refused with [`crate::ErrorCode::Unsupported`], unless a handover will do. Answered by
    /// [`crate::Reply::Session`].
    ForkSession(Box<ForkSession>),
    /// Conversations of any agent on this machine, whoever started them. The first such question has the daemon begin to read them,
    /// which can take minutes: the answer says how far that is. Answered by [`crate::Reply::Conversations`].
    ListConversations(Box<crate::search::List>),
    /// Searches them, and what the sessions' terminals showed. Answered by [`crate::Reply::Hits`].
    SearchText(Box<crate::search::Search>),
    /// Hides a conversation from lists and searches, or shows it again. Answered by [`crate::Reply::Done`].
    HideConversation {
        /// The agent's id.
        agent: String,
        /// The agent's own id of it.
        id: String,
        /// Hide it.
        hidden: bool,
    },
    /// What is in a conversation: the last entries, those before one, or those from one on. Answered by
    /// [`crate::Reply::Transcript`].
    ReadTranscript(Box<ReadTranscript>),
    /// The conversations that a session has been in. Answered by [`crate::Reply::Ledger`].
    ListLedger {
        /// Which.
        session: String,
    },
    /// Makes a pane of tmux a session of the list: one that was found, or any. Its program goes on where it is; removing the
    /// session only forgets it, and killing it ends that pane and nothing else. Answered by [`crate::Reply::Session`]; a pane
    /// that is a session already is answered with that one.
    AdoptSession {
        /// A session of kind local, or a pane as tmux names it: `%5`, `main:1.0`, with `SOCKET:` in front where it is needed.
        target: String,
    },
    /// Asks the process of a session that Belfry did not start to end (SIGTERM). Answered by [`crate::Reply::Session`] once it
    /// has, and by [`crate::ErrorCode::StillAlive`] where it does not within some seconds.
    EndLocal {
        /// Which; of kind local.
        session: String,
        /// The process that the person saw; another one is not ended.
        pid: u32,
    },
    /// Moves a dead session to the trash for a day, or removes it for good; a private one always for good. A live one is
    /// killed first where `kill` is set, else refused. Answered by [`crate::Reply::Removed`].
    RemoveSession {
        /// Which.
        session: String,
        /// For good, at once.
        #[serde(default)]
        now: bool,
        /// End its program first.
        #[serde(default)]
        kill: bool,
    },
    /// Takes a session out of the trash. Answered by [`crate::Reply::Session`].
    RestoreSession {
        /// Which.
        session: SessionId,
    },
    /// Puts a session in the archive or takes it out. Answered by [`crate::Reply::Session`].
    ArchiveSession {
        /// Which.
        session: String,
        /// In or out.
        archived: bool,
    },
    /// Moves a session. Answered by [`crate::Reply::Session`].
    MoveSession {
        /// Which.
        session: String,
        /// New project.
        project: Option<ProjectId>,
        /// New group.
        group: Option<GroupId>,
        /// New place, between its new neighbours' positions.
        #[serde(default)]
        position: Option<f64>,
    },
    /// Pins, mutes or snoozes a session; what is none stays as it is. Answered by [`crate::Reply::Session`].
    MarkSession {
        /// Which.
        session: String,
        /// Keep it at the top, or no longer.
        #[serde(default)]
        pinned: Option<bool>,
        /// Let it call nobody, or let it call again.
        #[serde(default)]
        muted: Option<bool>,
        /// Let it call nobody for so many seconds from now, at most a week; 0 lets it call again.
        #[serde(default)]
        snooze_seconds: Option<u32>,
    },
    /// Adds a directory as a project, last in the list. One that is a project already stays as it is. Its directory's
    /// sessions that are in no project are put into it. Answered by [`crate::Reply::Project`].
    AddProject {
        /// Absolute, or starting with `~`; must be there.
        path: String,
        /// None takes the directory's.
        #[serde(default)]
        name: Option<String>,
    },
    /// Changes a project; what is none stays as it is. Answered by [`crate::Reply::Project`].
    ChangeProject {
        /// Which.
        project: ProjectId,
        /// 1 to 200 characters.
        #[serde(default)]
        name: Option<String>,
        /// New place, between its new neighbours' positions.
        #[serde(default)]
        position: Option<f64>,
        /// What new sessions begin with.
        #[serde(default)]
        defaults: Option<ProjectDefaults>,
    },
    /// Takes a project out of the list, with its groups. Its sessions stay, in none; its directory is not touched. Answered
    /// by [`crate::Reply::Done`].
    RemoveProject {
        /// Which.
        project: ProjectId,
    },
    /// Makes a group, last among its siblings. Answered by [`crate::Reply::Group`].
    AddGroup {
        /// In which project.
        project: ProjectId,
        /// In which group of that project.
        #[serde(default)]
        parent: Option<GroupId>,
        /// 1 to 200 characters.
        name: String,
        /// Its colour.
        #[serde(default)]
        color: Option<GroupColor>,
    },
    /// Changes a group. Answered by [`crate::Reply::Group`].
    ChangeGroup {
        /// Which.
        group: GroupId,
        /// The group it is in from now on, of the same project and not inside it; none puts it at the project's top.
        parent: Option<GroupId>,
        /// 1 to 200 characters.
        name: String,
        /// Its colour.
        color: Option<GroupColor>,
        /// Its place, between its new neighbours' positions.
        position: f64,
    },
    /// Removes a group. Groups and sessions in it move to the one that it was in. Answered by [`crate::Reply::Done`].
    RemoveGroup {
        /// Which.
        group: GroupId,
    },
    /// About worktrees, clones, scratch repositories and what runs in them. Each says what it is answered by.
    Workspace(Box<WorkspaceRequest>),
    /// About what is changed in a session's directory.
    Changes(Box<ChangesRequest>),
    /// About a session's pull request.
    PullRequest(Box<PullRequestRequest>),
    /// The person looked at it. Answered by [`crate::Reply::Done`].
    MarkSeen {
        /// Which.
        session: SessionId,
    },
    /// The screen as text. Answered by [`crate::Reply::Screen`].
    ReadScreen {
        /// Which.
        session: String,
        /// Keep colours and styles as escape sequences.
        #[serde(default)]
        ansi: bool,
        /// That many lines of scrollback before the screen.
        #[serde(default)]
        scrollback: u32,
    },
    /// Queues a message. Answered by [`crate::Reply::Message`].
    SendMessage {
        /// Which.
        session: String,
        /// The text; control characters but newline and tab are taken out.
        text: String,
        /// Do not wait for the session to be free.
        #[serde(default)]
        now: bool,
    },
    /// Answers the open question. The dialog is read again first and must be the same; it must then close. Answered by
    /// [`crate::Reply::Session`] once it has, or [`crate::ErrorCode::Changed`].
    AnswerAsk {
        /// Which session.
        session: String,
        /// A choice's key, else its exact label; none where only a text is given.
        #[serde(default)]
        choice: Option<String>,
        /// A text, for choices and questions that take one.
        #[serde(default)]
        text: Option<String>,
        /// The fingerprint of the dialog that the person saw; none answers whatever is open.
        #[serde(default)]
        fingerprint: Option<String>,
    },
    /// Why the status is what it is. Answered by [`crate::Reply::Explanation`].
    ExplainSession {
        /// Which.
        session: String,
    },
    /// What happened to a session: its changes of status, its questions and how they ended. Answered by
    /// [`crate::Reply::History`].
    ListHistory {
        /// Which.
        session: String,
        /// At most so many; more than 500 are not given.
        limit: u32,
    },
    /// What a session was asked for at its start. Answered by [`crate::Reply::Prompt`].
    ReadPrompt {
        /// Which.
        session: String,
    },
    /// Keeps a file in the session's own folder, for its program to read; of a private session in memory. At most 20 MB, in
    /// pieces that fit into a frame. Answered by [`crate::Reply::Attachment`].
    SaveAttachment {
        /// Which.
        session: String,
        /// What the file is called; its letters that are no use in a path are left out.
        name: String,
        /// The file that this piece goes on with, as the answer to the first piece called it.
        #[serde(default)]
        file: Option<String>,
        /// Bytes that came before.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        offset: u64,
        /// The piece, as base64.
        data: String,
    },
    /// The messages that wait for a session, and the last ones that were delivered. Answered by [`crate::Reply::Messages`].
    ListMessages {
        /// Which.
        session: String,
    },
    /// Takes back a message that still waits. Answered by [`crate::Reply::Message`]; one that is being typed or was is
    /// refused with [`crate::ErrorCode::Changed`].
    CancelMessage {
        /// Which.
        message: MessageId,
    },
    /// What a hook of a session's agent tells. It is telemetry: it answers nothing and decides nothing by itself. Answered by
    /// [`crate::Reply::Done`].
    HookEvent {
        /// The session that the hook was made for.
        session: SessionId,
        /// The secret that its run was given at launch.
        secret: String,
        /// The hook's name, in the agent's words.
        name: String,
        /// When it was called, in milliseconds since the Unix epoch.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        at_ms: u64,
        /// What the agent said, at most 64 KiB of JSON.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        payload: serde_json::Value,
    },
    /// Presses keys, such as `Enter`, `Esc`, `C-c`, `Up`, or text. Answered by [`crate::Reply::Done`].
    SendKeys {
        /// Which.
        session: String,
        /// In order.
        keys: Vec<String>,
    },
    /// Opens a view: a snapshot follows in output frames, then what the program prints. Answered by
    /// [`crate::Reply::View`] before the first output.
    OpenView {
        /// Which.
        session: String,
        /// Chosen by the client.
        view: ViewId,
        /// The view's size.
        size: Size,
        /// Make that the session's size now.
        #[serde(default)]
        focus: bool,
        /// Bytes that the client can take to begin with.
        credit: u32,
    },
    /// Closes a view. Answered by [`crate::Reply::Done`].
    CloseView {
        /// Which.
        view: ViewId,
    },
    /// The view has another size; the session follows where this view has its size. Answered by [`crate::Reply::Done`].
    ResizeView {
        /// Which.
        view: ViewId,
        /// The size.
        size: Size,
    },
    /// The view was typed in or focused: its size becomes the session's. Answered by [`crate::Reply::Done`].
    FocusView {
        /// Which.
        view: ViewId,
        /// Whether it has the keyboard now; tells programs that asked for focus reports.
        focused: bool,
    },
    /// While held, no snapshot replaces what the view shows (the person is scrolled up or selects). Answered by
    /// [`crate::Reply::Done`].
    HoldView {
        /// Which.
        view: ViewId,
        /// On or off.
        held: bool,
    },
    /// Sends one snapshot with the whole scrollback in place of what the view has. Answered by [`crate::Reply::Done`].
    FetchScrollback {
        /// Which.
        view: ViewId,
    },
    /// Sends the recording of the session's runs as asciicast in blob frames. Answered by [`crate::Reply::Done`] before the
    /// first piece.
    ExportAsciicast {
        /// Which.
        session: String,
        /// Chosen by the client.
        stream: StreamId,
    },
    /// Sends the conversations that a session has been in as Markdown in blob frames, from its agent's own records, the oldest
    /// first. Answered by [`crate::Reply::Done`] before the first piece, and by [`crate::ErrorCode::ConversationGone`] where there
    /// is none.
    ExportMarkdown {
        /// Which.
        session: String,
        /// Chosen by the client.
        stream: StreamId,
    },
    /// The same of any conversation of this machine.
    ExportConversation {
        /// The agent's id.
        agent: String,
        /// The agent's own id of it.
        id: String,
        /// Chosen by the client.
        stream: StreamId,
    },
    /// What there is of a session to be played again. Answered by [`crate::Reply::Recording`].
    ShowRecording {
        /// Which.
        session: String,
    },
    /// Sends a piece of a recording in blob frames: lines of JSON, each a [`crate::recording::RecordingLine`]. Answered by
    /// [`crate::Reply::Done`] before the first. To read on where the last piece ended costs least, and gives no picture.
    ReadRecording {
        /// Which.
        session: String,
        /// Where it is to begin, in milliseconds of the recording's own clock.
        from: u64,
        /// A picture is wanted even where the last piece ended there.
        #[serde(default)]
        picture: bool,
        /// About how much output is wanted, in bytes; 0 for the picture alone, at most 4 MiB.
        bytes: u32,
        /// Chosen by the client.
        stream: StreamId,
    },
    /// The agents, looked for again where `refresh` is set. Answered by [`crate::Reply::Agents`].
    ListAgents {
        /// Look again, and ask for versions.
        #[serde(default)]
        refresh: bool,
    },
    /// Directories that begin so. Answered by [`crate::Reply::Directories`].
    CompleteDirectory {
        /// What was typed; `~` is the home directory.
        prefix: String,
    },
    /// Directories of earlier sessions, newest first. Answered by [`crate::Reply::Directories`].
    RecentDirectories,
    /// What was last used in a directory. Answered by [`crate::Reply::LaunchDefaults`].
    LaunchDefaults {
        /// The directory.
        cwd: String,
    },
    /// A setting of the window's, as JSON. Answered by [`crate::Reply::Setting`].
    GetSetting {
        /// Dotted name, such as `window.main.layout`.
        name: String,
    },
    /// Keeps a setting, at most 256 KiB. Answered by [`crate::Reply::Done`].
    PutSetting {
        /// Dotted name.
        name: String,
        /// Any JSON; null removes it.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        value: serde_json::Value,
    },
    /// What the person has set. Answered by [`crate::Reply::Settings`].
    GetSettings,
    /// Makes the person's file where there is none yet, with every setting in it as a comment, so that it can be opened.
    /// Answered by [`crate::Reply::Settings`].
    MakeSettingsFile,
    /// Changes one setting in the person's file, in its place: comments and order stay. Answered by
    /// [`crate::Reply::Settings`]. A file with an error in it is not touched, and a value that is not allowed is refused.
    ChangeSetting {
        /// A dotted key as TOML writes it, such as `notifications.sounds` or `agents.claude.args`. What follows `keys.` is a
        /// command's name as it is.
        path: String,
        /// As JSON; null takes the key out, which brings back the default.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        value: serde_json::Value,
    },
    /// The last notifications. Answered by [`crate::Reply::Notifications`].
    ListNotifications,
    /// The person has seen notifications. Answered by [`crate::Reply::Done`].
    MarkNotificationsRead {
        /// That one and all before it; none means all.
        #[serde(default)]
        up_to: Option<NotificationId>,
    },
    /// Sends a notification of no session at once, whatever is set, to try how it looks and sounds; it is not kept. Answered
    /// by [`crate::Reply::Done`].
    TestNotification {
        /// Of which kind.
        kind: NotificationKind,
    },
    /// The window's colours, so that programs that ask are told the truth. Answered by [`crate::Reply::Done`].
    SetColors {
        /// Foreground, `#rrggbb`.
        foreground: String,
        /// Background, `#rrggbb`.
        background: String,
        /// Cursor, `#rrggbb`.
        cursor: String,
        /// The sixteen ANSI colours.
        ansi: Vec<String>,
        /// The scheme is dark.
        dark: bool,
    },
    /// Has an open window come to the front, with a session in it where one is meant: that one, or with `next` the one that
    /// needs the person for the longest time. Answered by [`crate::Reply::Session`] with the session that it shows, by
    /// [`crate::Reply::Done`] where it shows none, and by [`crate::ErrorCode::NotFound`] where no window is open.
    FocusWindow {
        /// Which.
        #[serde(default)]
        session: Option<String>,
        /// The one that needs the person; `session` is not looked at.
        #[serde(default)]
        next: bool,
    },
    /// Answered by [`crate::Reply::Daemon`].
    DaemonStatus,
    /// Reads all of the database and checks it. Answered by [`crate::Reply::Faults`].
    CheckDatabase,
    /// Ends the daemon; sessions go on. Answered by [`crate::Reply::Done`].
    StopDaemon,
}
