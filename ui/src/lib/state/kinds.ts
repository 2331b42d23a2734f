import type { Client } from '../client/client';
import type { Project, WorkspaceKind } from '../client/generated/protocol';
import { Setting } from './setting';

const KINDS: readonly WorkspaceKind[] = ['directory', 'worktree', 'clone', 'scratch'];
/** Directories of which it is remembered. */
const MOST = 200;

/** Where sessions worked last, by the project or directory that they were started in: offered again. */
export class Kinds {
  private readonly setting: Setting;
  private kinds = new Map<string, WorkspaceKind>();

  constructor(client: Client) {
    this.setting = new Setting(client, 'workspace-kinds');
  }

  async load(): Promise<void> {
    const value = await this.setting.load().catch(() => null);
    if (typeof value !== 'object' || value === null) return;
    const known = Object.entries(value).filter((one): one is [string, WorkspaceKind] =>
      KINDS.includes(one[1]),
    );
    this.kinds = new Map([...known, ...this.kinds]);
  }

  of(directory: string): WorkspaceKind | undefined {
    return this.kinds.get(directory);
  }

  remember(directory: string, kind: WorkspaceKind): void {
    if (this.kinds.get(directory) === kind) return;
    this.kinds.delete(directory);
    this.kinds.set(directory, kind);
    const newest = [...this.kinds].slice(-MOST);
    this.setting.save(Object.fromEntries(newest));
  }
}

/** The innermost project that a directory lies in. */
export function projectAround(path: string, projects: Iterable<Project>): Project | undefined {
  return [...projects]
    .filter((one) => `${path.replace(/\/$/, '')}/`.startsWith(`${one.path.replace(/\/$/, '')}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}
