import { actions } from './actions';
import { asks } from './asks';
import { bell } from './bell';
import { bulk } from './bulk';
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
import { projects } from './projects';
import { replay } from './replay';
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
import { why } from './why';
import { window } from './window';

/** English. */
export const en = {
  language: 'en',
  /** For what has no name that could be seen. */
  nameless: 'Without a name',
  actions,
  asks,
  bell,
  bulk,
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
  projects,
  replay,
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
  why,
  window,
};
