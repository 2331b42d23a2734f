import type { Ask, Choice } from '../../src/lib/client/generated/protocol';

/** A question as the daemon tells it. */
export function ask(part: Partial<Ask>): Ask {
  return {
    id: 'a',
    kind: 'approval',
    approves: 'command',
    text: 'Do you want to proceed?',
    choices: [],
    takes_text: false,
    detail: { command: null, path: null, url: null, tool: null, body: null },
    risk: 'low',
    risk_reason: null,
    fingerprint: 'f',
    answerable: true,
    opened_at: '2026-01-02T12:00:00Z',
    ...part,
  };
}

export function choice(key: string, part: Partial<Choice> = {}): Choice {
  return {
    key,
    label: key,
    description: null,
    risk: 'low',
    refuses: false,
    takes_text: false,
    ticked: null,
    ...part,
  };
}
