import { RequestError } from '$lib/client/connection';
import type { AgentInfo, LaunchDefaults, NewSession, Session } from '$lib/client/generated/protocol';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { Draft } from '$lib/state/dialogs.svelte';
import { shortPath } from '$lib/state/describe';
import { explain } from '$lib/state/explain-error';
import { projectAround } from '$lib/state/kinds';
import { Where } from './where.svelte';
import { joinWords, readEnvironment, splitWords } from './words';

export type Field = 'agent' | 'cwd' | 'args' | 'env' | 'private' | 'form';

/** Fields whose last values in a directory are offered again, until the person changes them. */
type Remembered = 'agent' | 'model' | 'systemPrompt' | 'args';

/** A new session while it is being described. */
export class NewSessionForm {
  agent = $state('');
  cwd = $state('');
  name = $state('');
  prompt = $state('');
  model = $state('');
  systemPrompt = $state('');
  args = $state('');
  env = $state('');
  private = $state(false);
  /** Names of variables that were set last time; their values are not kept. */
  envNames = $state.raw<readonly string[]>([]);
  errors = $state.raw<Partial<Record<Field, string>>>({});
  starting = $state(false);
  /** The person has put something in. */
  edited = $state(false);
  readonly where: Where;
  private readonly touched = new Set<Remembered>();
  private defaultsFor = '';

  readonly chosen = $derived.by(() => this.belfry.agents.find((agent) => agent.id === this.agent));

  constructor(private readonly belfry: Belfry) {
    const { sessions, arrangement, dialogs } = belfry;
    this.where = new Where(belfry, () => this.name.trim() || (this.chosen?.takes.prompt ? this.prompt : ''));
    const near = sessions.get(arrangement.focused)?.cwd;
    this.cwd = shortPath(dialogs.startIn ?? near ?? sessions.home, sessions.home);
    if (dialogs.draft) this.takeUp(dialogs.draft, dialogs.startIn !== null);
    if (dialogs.startWith) {
      this.agent = dialogs.startWith;
      this.touched.add('agent');
      dialogs.startWith = null;
    }
    this.chooseAgent();
    if (!dialogs.startIn && !near && !dialogs.draft) void this.startInRecent();
    void this.loadDefaults();
  }

  touch(field: Remembered): void {
    this.edited = true;
    this.touched.add(field);
  }

  /** Keeps what was put in for the next opening of the form. */
  keep(): void {
    if (!this.edited) return;
    const { agent, cwd, name, prompt, model, systemPrompt, args, env } = this;
    const texts = { agent, cwd, name, prompt, model, systemPrompt, args, env };
    this.belfry.dialogs.draft = { ...texts, private: this.private, where: this.where.draft };
  }

  /** Empties the form; what it was opened with in the first place stays. */
  startOver(): void {
    this.name = this.prompt = this.model = this.systemPrompt = this.args = this.env = '';
    this.private = false;
    this.where.takeUp({ chosen: null, branch: '', base: '', pull: '' });
    this.errors = {};
    this.touched.clear();
    this.defaultsFor = '';
    this.edited = false;
    this.belfry.dialogs.draft = null;
    void this.loadDefaults();
  }

  private takeUp({ where, ...draft }: Draft, directoryGiven: boolean): void {
    const { cwd } = this;
    Object.assign(this, draft);
    this.where.takeUp(where);
    if (directoryGiven) this.cwd = cwd;
    for (const field of ['agent', 'model', 'systemPrompt', 'args'] as const) this.touch(field);
  }

  /** The agents may come in after the form is open. */
  chooseAgent(): void {
    if (this.agent || this.belfry.agents.length === 0) return;
    const here = this.belfry.agents.filter((agent) => agent.program);
    this.agent = (here.find((agent) => agent.id !== 'shell') ?? here[0])?.id ?? 'shell';
  }

  setCwd(cwd: string): void {
    this.cwd = cwd;
    this.edited = true;
    this.clear('cwd');
  }

  clear(field: Field): void {
    if (this.errors[field] || this.errors.form)
      this.errors = { ...this.errors, [field]: undefined, form: undefined };
  }

  /** What was last used in the directory fills what the person has not filled. */
  async loadDefaults(): Promise<void> {
    const cwd = this.cwd.trim();
    if (!cwd || cwd === this.defaultsFor || this.starting) return;
    this.defaultsFor = cwd;
    void this.where.look(cwd);
    const defaults = await this.belfry.client
      .request('launch_defaults', { method: 'launch_defaults', params: { cwd } })
      .catch(() => null);
    if (defaults && this.cwd.trim() === cwd) this.offer({ ...defaults, ...this.projectDefaults(cwd) });
  }

  async start(): Promise<Session | null> {
    if (this.starting) return null;
    const wanted = this.read();
    if (!wanted) return null;
    this.starting = true;
    try {
      const session = await this.belfry.client.request('session', {
        method: 'new_session',
        params: wanted,
      });
      this.edited = false;
      this.belfry.dialogs.draft = null;
      this.where.started();
      if (this.where.untrusted && this.where.without) this.belfry.workspaces.startWithout(session);
      return session;
    } catch (error) {
      this.errors = { [fieldOf(error)]: explain(error) };
      return null;
    } finally {
      this.starting = false;
    }
  }

  private async startInRecent(): Promise<void> {
    const before = this.cwd;
    const recent = await this.belfry.client
      .request('directories', { method: 'recent_directories' })
      .catch(() => []);
    const [newest] = recent;
    if (!newest || this.cwd !== before) return;
    this.cwd = newest.shown;
    await this.loadDefaults();
  }

  /** What the person has set for the project that a directory lies in; it goes before what was last used there. */
  private projectDefaults(cwd: string): Partial<LaunchDefaults> {
    const { home, projects } = this.belfry.sessions;
    const inner = projectAround(cwd.replace(/^~(?=\/|$)/, home), projects.values());
    if (!inner) return {};
    const { agent, model, prompt } = inner.defaults;
    if (prompt && !this.prompt && !this.edited) this.prompt = prompt;
    return { ...(agent && { agent }), ...(model && { model }) };
  }

  private offer(defaults: LaunchDefaults): void {
    const known = (id: string | null): AgentInfo | undefined =>
      this.belfry.agents.find((agent) => agent.id === id && agent.program);
    if (defaults.agent && known(defaults.agent) && !this.touched.has('agent')) this.agent = defaults.agent;
    if (!this.touched.has('model')) this.model = defaults.model ?? '';
    if (!this.touched.has('systemPrompt')) this.systemPrompt = defaults.system_prompt ?? '';
    if (!this.touched.has('args')) this.args = joinWords(defaults.args);
    this.envNames = defaults.env_names;
  }

  private read(): NewSession | null {
    const args = splitWords(this.args);
    const env = readEnvironment(this.env);
    const errors: Partial<Record<Field, string>> = {};
    if ('problem' in args) errors.args = args.problem;
    if ('problem' in env) errors.env = env.problem;
    this.errors = errors;
    const where = this.where.read();
    if ('problem' in args || 'problem' in env || !where) return null;
    const takes = this.chosen?.takes;
    const text = (value: string, taken = true) => (taken && value.trim() ? { value: value.trim() } : null);
    const size = this.belfry.roomSize();
    return {
      ...where,
      agent: this.agent,
      args: args.words,
      env: env.variables,
      private: this.private,
      ...(text(this.cwd) && { cwd: this.cwd.trim() }),
      ...(text(this.name) && { name: this.name.trim() }),
      ...(text(this.prompt, takes?.prompt) && { prompt: this.prompt.trim() }),
      ...(text(this.model, takes?.model) && { model: this.model.trim() }),
      ...(text(this.systemPrompt, takes?.system_prompt) && { system_prompt: this.systemPrompt.trim() }),
      ...(size && { size }),
    };
  }
}

/** Where an error belongs in the form. */
function fieldOf(error: unknown): Field {
  if (!(error instanceof RequestError)) return 'form';
  switch (error.code) {
    case 'bad_directory':
      return 'cwd';
    case 'missing_program':
      return 'agent';
    case 'no_private_storage':
      return 'private';
    default:
      return 'form';
  }
}
