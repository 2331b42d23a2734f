import { flushSync } from 'svelte';
import type { Conversation, WorkspaceKind } from '../client/generated/protocol';

export interface Question {
  title: string;
  text: string;
  /** Shown as it is, in the terminal's font, with lines kept. */
  quote?: string | undefined;
  agree: string;
  danger?: boolean | undefined;
}

/** What was filled in for a new session that was not started. */
export interface Draft {
  agent: string;
  cwd: string;
  name: string;
  prompt: string;
  model: string;
  systemPrompt: string;
  args: string;
  env: string;
  private: boolean;
  where: { chosen: WorkspaceKind | null; branch: string; base: string; pull: string };
}

/** Dialogs that belong to the list. */
export type ListDialog = 'add-project' | 'project-defaults' | 'broadcast';

/** What can lie over another dialog, and comes back to it. */
export type Over =
  /** What would be lost with a workspace. */
  | { kind: 'remove'; workspace: string; name: string; ondone?: () => void }
  /** The scripts of a repository; `session` waits for them. */
  | { kind: 'scripts'; directory: string; session: string | null; ontrusted?: () => void }
  /** A session that has a workspace of its own goes. */
  | { kind: 'delete'; session: string };

/** Where the page of conversations begins. */
export interface LibraryStart {
  /** What is looked for. */
  text?: string;
  /** The one that is read. */
  conversation?: Conversation;
  /** Where in it. */
  at?: { seq: number; subagent: string | null } | null;
}

/** What lies over the window: at most one dialog, and a question over that. */
export class Dialogs {
  open = $state<
    | 'new-session'
    | 'settings'
    | 'palette'
    | 'layouts'
    | 'keys'
    | 'library'
    | 'workspaces'
    | 'commit'
    | 'pull-request'
    | ListDialog
    | null
  >(null);
  over = $state.raw<Over | null>(null);
  /** What stands in the palette when it opens. */
  paletteText = '';
  /** Directory to begin with, for the next new session. */
  startIn = $state<string | null>(null);
  /** The agent to begin with, for the next new session. */
  startWith: string | null = null;
  /** The page of the settings to begin with; else the one that was open last. */
  settingsPage: string | null = null;
  /** Where the page of conversations begins, when it opens next; else where it was left. */
  libraryStart: LibraryStart | null = null;
  /** The session that is committed, or of which a pull request is made. */
  about = $state<string | null>(null);
  /** The project whose defaults are shown. */
  project = $state<string | null>(null);
  /** For the next opening in this window, and nowhere else: it may hold secrets. */
  draft: Draft | null = null;
  question = $state.raw<(Question & { answer: (agreed: boolean) => void }) | null>(null);

  newSession(cwd: string | null = null): void {
    this.startIn = cwd;
    this.open = 'new-session';
  }

  /** Opens the palette, with `> ` for commands only or `# ` for text in sessions. */
  palette(text = ''): void {
    this.paletteText = text;
    this.open = null;
    flushSync();
    this.open = 'palette';
  }

  /** Opens the page of all conversations. */
  library(start: LibraryStart | null = null): void {
    this.libraryStart = start;
    this.open = null;
    flushSync();
    this.open = 'library';
  }

  /** Opens the page of all workspaces. */
  workspaces(): void {
    this.open = null;
    flushSync();
    this.open = 'workspaces';
  }

  addProject(): void {
    this.open = 'add-project';
  }

  projectDefaults(project: string): void {
    this.project = project;
    this.open = 'project-defaults';
  }

  broadcast(): void {
    this.open = 'broadcast';
  }

  close(): void {
    this.open = null;
  }

  ask(question: Question): Promise<boolean> {
    this.question?.answer(false);
    return new Promise((resolve) => {
      this.question = {
        ...question,
        answer: (agreed) => {
          this.question = null;
          resolve(agreed);
        },
      };
    });
  }

  get any(): boolean {
    return this.open !== null || this.over !== null || this.question !== null;
  }
}
