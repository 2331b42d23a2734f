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
}

/** What lies over the window: at most one dialog, and a question over that. */
export class Dialogs {
  open = $state<'new-session' | 'settings' | 'switcher' | null>(null);
  /** Directory to begin with, for the next new session. */
  startIn = $state<string | null>(null);
  /** For the next opening in this window, and nowhere else: it may hold secrets. */
  draft: Draft | null = null;
  question = $state.raw<(Question & { answer: (agreed: boolean) => void }) | null>(null);

  newSession(cwd: string | null = null): void {
    this.startIn = cwd;
    this.open = 'new-session';
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
    return this.open !== null || this.question !== null;
  }
}
