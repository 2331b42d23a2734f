import type { Request, Session } from '../client/generated/protocol';
import { isAlive } from './alive';
import type { Belfry } from './belfry.svelte';
import { shellQuote, shortPath } from './describe';
import { explain } from './explain-error';
import { say } from '../words';

/** What a person can do to a session. Failures are told, not thrown. */
export class SessionActions {
  constructor(private readonly belfry: Belfry) {}

  async rename(session: Session, name: string): Promise<void> {
    const trimmed = name.trim().slice(0, 200);
    if (!trimmed || trimmed === session.name) return;
    await this.ask({ method: 'rename_session', params: { session: session.id, name: trimmed } });
  }

  async restart(session: Session): Promise<void> {
    if (isAlive(session)) return;
    await this.ask({
      method: 'restart_session',
      params: { session: session.id, anew: false, base_env: null },
    });
  }

  /** Its program ends; a message or a key wakes it. */
  async hibernate(session: Session): Promise<void> {
    await this.ask({ method: 'hibernate_session', params: { session: session.id } });
  }

  async kill(session: Session): Promise<void> {
    const agreed = await this.belfry.dialogs.ask({
      title: say.actions.killName(session.name),
      text: say.actions.itsProgramEndsNow,
      agree: say.actions.kill,
      danger: true,
    });
    if (agreed) await this.ask({ method: 'kill_session', params: { session: session.id } });
  }

  async remove(session: Session): Promise<void> {
    const { dialogs, workspaces } = this.belfry;
    if (workspaces.own(session) && !session.private) {
      dialogs.over = { kind: 'delete', session: session.id };
      return;
    }
    const alive = isAlive(session);
    if (alive || session.private) {
      const agreed = await this.belfry.dialogs.ask({
        title: say.actions.deleteName(session.name),
        text: !session.private
          ? say.actions.endsAndGoesToTrash
          : alive
            ? say.actions.endsAndIsGone
            : say.actions.privateIsGone,
        agree: alive ? say.actions.killAndDelete : say.actions.deleteForGood,
        danger: true,
      });
      if (!agreed) return;
    }
    await this.removeNow(session);
  }

  /** The same with nothing asked; whether it is gone. */
  async removeNow(session: Session): Promise<boolean> {
    const { client, toasts } = this.belfry;
    try {
      const params = { session: session.id, now: false, kill: isAlive(session) };
      const { trashed } = await client.request('removed', { method: 'remove_session', params });
      const undo = { label: say.actions.undo, run: () => void this.restore(session) };
      if (trashed) toasts.show(say.actions.nameIsInTheTrash(session.name), undo);
      else toasts.show(say.actions.nameIsGoneForGood(session.name));
      return true;
    } catch (error) {
      toasts.fail(explain(error));
      return false;
    }
  }

  /** Out of the trash, and nowhere. */
  async removeForGood(session: Session): Promise<void> {
    const agreed = await this.belfry.dialogs.ask({
      title: say.actions.deleteNameForGood(session.name),
      text: say.actions.itsRecordingsAndItsMessagesAreDeleted,
      agree: say.actions.deleteForGood,
      danger: true,
    });
    if (!agreed) return;
    try {
      const params = { session: session.id, now: true, kill: false };
      await this.belfry.client.request('removed', { method: 'remove_session', params });
      this.belfry.toasts.show(say.actions.nameIsGoneForGood(session.name));
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
    }
  }

  /** Starts another like it, and shows it. */
  async duplicate(session: Session): Promise<void> {
    const { client, sessions, toasts } = this.belfry;
    try {
      const params = { session: session.id, base_env: null };
      const made = await client.request('session', { method: 'duplicate_session', params });
      sessions.all.set(made.id, sessions.get(made.id) ?? made);
      this.belfry.show(made.id, 'tab');
    } catch (error) {
      toasts.fail(explain(error));
    }
  }

  /** Saves what its terminal showed, as an asciicast. */
  async export(session: Session): Promise<void> {
    const { client, surroundings, toasts } = this.belfry;
    const { saveFile } = surroundings;
    if (!saveFile) return;
    try {
      const bytes = await client.stream((stream) => ({
        method: 'export_asciicast',
        params: { session: session.id, stream },
      }));
      const name = `${session.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'session'}.cast`;
      const saved = await saveFile(name, bytes);
      if (saved !== null)
        toasts.show(say.actions.theRecordingIsSavedAsHome(shortPath(saved, this.belfry.sessions.home)));
    } catch (error) {
      toasts.fail(explain(error));
    }
  }

  async openFolder(session: Session): Promise<void> {
    try {
      await this.belfry.surroundings.openDirectory?.(session.cwd);
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
    }
  }

  async restore(session: Session): Promise<void> {
    await this.ask({ method: 'restore_session', params: { session: session.id } });
  }

  async archive(session: Session, archived: boolean): Promise<void> {
    const done = await this.ask({ method: 'archive_session', params: { session: session.id, archived } });
    if (!done || !archived) return;
    const undo = { label: say.actions.undo, run: () => void this.archive(session, false) };
    this.belfry.toasts.show(say.actions.nameIsInTheArchive(session.name), undo);
  }

  async copyAttach(session: Session): Promise<void> {
    const command = `belfry attach ${shellQuote(session.id)}`;
    try {
      await this.belfry.surroundings.writeClipboard(command);
      this.belfry.toasts.show(say.actions.copiedRunItInAnyTerminal);
    } catch {
      this.belfry.toasts.fail(say.actions.theClipboardCouldNotBeWritten(command));
    }
  }

  /** The person looks at it. */
  seen(session: Session): void {
    if (!session.unseen) return;
    this.belfry.client
      .request('done', { method: 'mark_seen', params: { session: session.id } })
      .catch(() => {});
  }

  private async ask(request: Request): Promise<boolean> {
    try {
      await this.belfry.client.request('session', request);
      return true;
    } catch (error) {
      this.belfry.toasts.fail(explain(error));
      return false;
    }
  }
}
