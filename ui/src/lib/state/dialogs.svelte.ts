export interface Question {
  title: string;
  text: string;
  /** Shown as it is, in the terminal's font, with lines kept. */
  quote?: string | undefined;
  agree: string;
  danger?: boolean | undefined;
}

/** What lies over the window: at most one dialog, and a question over that. */
export class Dialogs {
  open = $state<'new-session' | 'settings' | 'switcher' | null>(null);
  /** Directory to begin with, for the next new session. */
  startIn = $state<string | null>(null);
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
