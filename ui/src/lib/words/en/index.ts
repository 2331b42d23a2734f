import { bulk } from './bulk';
import { conversations } from './conversations';
import { grid } from './grid';
import { inspector } from './inspector';
import { layouts } from './layouts';
import { list } from './list';
import { messages } from './messages';
import { narrow } from './narrow';
import { notices } from './notices';
import { panes } from './panes';
import { selection } from './selection';
import { status } from './status';
import { time } from './time';
import { top } from './top';
import { window } from './window';

/** English. */
export const en = {
  language: 'en',
  /** For what has no name that could be seen. */
  nameless: 'Without a name',
  bulk,
  conversations,
  grid,
  inspector,
  layouts,
  list,
  messages,
  narrow,
  notices,
  panes,
  selection,
  status,
  time,
  top,
  window,
};
