import { say } from '../words';
import { shownName } from '../words/names';

export { whole } from '../words/names';

/** What a session, a project or a group is shown as. */
export function nameOf(one: { name: string } | null | undefined): string {
  return one ? shownName(one.name, say.nameless) : '';
}
