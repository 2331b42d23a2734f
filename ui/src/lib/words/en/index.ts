import { actions } from './actions';
import { addresses } from './addresses';
import { asks } from './asks';
import { bell } from './bell';
import { bulk } from './bulk';
import { changes } from './changes';
import { commands } from './commands';
import { connection } from './connection';
import { conversations } from './conversations';
import { elsewhere } from './elsewhere';
import { grid } from './grid';
import { hibernate } from './hibernate';
import { inspector } from './inspector';
import { keys } from './keys';
import { layouts } from './layouts';
import { library } from './library';
import { list } from './list';
import { messages } from './messages';
import { narrow } from './narrow';
import { newSession } from './newSession';
import { notices } from './notices';
import { palette } from './palette';
import { panes } from './panes';
import { preparing } from './preparing';
import { projects } from './projects';
import { pulls } from './pulls';
import { projectSettings } from './projectSettings';
import { replay } from './replay';
import { run } from './run';
import { selection } from './selection';
import { settings } from './settings';
import { snooze } from './snooze';
import { status } from './status';
import { terminal } from './terminal';
import { time } from './time';
import { top } from './top';
import { transcript } from './transcript';
import { usage } from './usage';
import { welcome } from './welcome';
import { where } from './where';
import { why } from './why';
import { window } from './window';
import { workspaces } from './workspaces';
import { workspaceSettings } from './workspaceSettings';

/** English. */
export const en = {
  language: 'en',
  /** For what has no name that could be seen. */
  nameless: 'Without a name',
  actions,
  addresses,
  asks,
  bell,
  bulk,
  changes,
  commands,
  connection,
  conversations,
  elsewhere,
  grid,
  hibernate,
  inspector,
  keys,
  layouts,
  library,
  list,
  messages,
  narrow,
  newSession,
  notices,
  palette,
  panes,
  preparing,
  projects,
  pulls,
  projectSettings,
  replay,
  run,
  selection,
  settings,
  snooze,
  status,
  terminal,
  time,
  top,
  transcript,
  usage,
  welcome,
  where,
  why,
  window,
  workspaces,
  workspaceSettings,
};
