/** Sessions that are remembered. */
const LONGEST = 100;

/** Where the person was, as a browser keeps it: back and forward, and what was looked at last. */
export class Trail {
  private visited: string[] = [];
  private at = -1;
  private latest: string[] = [];

  visit(session: string): void {
    this.latest = [session, ...this.latest.filter((one) => one !== session)].slice(0, LONGEST);
    if (this.visited[this.at] === session) return;
    this.visited = [...this.visited.slice(0, this.at + 1), session].slice(-LONGEST);
    this.at = this.visited.length - 1;
  }

  /** The one before (or after) that is still there and not the one in front; the place in the trail moves there. */
  step(by: 1 | -1, front: string | null, exists: (session: string) => boolean): string | undefined {
    for (let at = this.at + by; at >= 0 && at < this.visited.length; at += by) {
      const session = this.visited[at];
      if (session === undefined || session === front || !exists(session)) continue;
      this.at = at;
      return session;
    }
    return undefined;
  }

  /** Newest first. */
  get recent(): readonly string[] {
    return this.latest;
  }
}
