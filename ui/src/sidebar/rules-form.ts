import type { RunCommand, Warm, WorkspaceRules } from '$lib/client/generated/protocol';
import { say } from '$lib/words';

/** Rules as fields have them. */
export interface RulesText {
  setup: string;
  teardown: string;
  run: RunCommand[];
  copy: string;
  link: string;
  base: string;
  /** Empty where nothing is said. */
  warm: Warm | '';
}

export function toText(rules: WorkspaceRules | null | undefined): RulesText {
  return {
    setup: rules?.setup ?? '',
    teardown: rules?.teardown ?? '',
    run: (rules?.run ?? []).map((one) => ({ ...one })),
    copy: (rules?.copy ?? []).join('\n'),
    link: (rules?.link ?? []).join('\n'),
    base: rules?.base ?? '',
    warm: rules?.warm ?? '',
  };
}

/** The rules that fields say; none where they say nothing. */
export function fromText(text: RulesText): WorkspaceRules | null {
  const { setup, teardown, base } = text;
  const rules: WorkspaceRules = {
    ...(setup.trim() && { setup: setup.trim() }),
    ...(teardown.trim() && { teardown: teardown.trim() }),
    ...(base.trim() && { base: base.trim() }),
    ...(text.warm && { warm: text.warm }),
    run: text.run.filter(filled).map(({ name, command }) => ({ name: name.trim(), command: command.trim() })),
    copy: lines(text.copy),
    link: lines(text.link),
  };
  const nothing = !rules.setup && !rules.teardown && !rules.base && !rules.warm;
  return nothing && rules.run.length + rules.copy.length + rules.link.length === 0 ? null : rules;
}

/** What is wrong with the commands. */
export function wrongCommands(run: readonly RunCommand[]): string | undefined {
  const given = run.filter(filled);
  if (given.some(({ name, command }) => !name.trim() || !command.trim()))
    return say.projectSettings.nameMissing;
  const names = given.map(({ name }) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? undefined : say.projectSettings.nameTwice(twice);
}

const filled = ({ name, command }: RunCommand) => Boolean(name.trim() || command.trim());
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
