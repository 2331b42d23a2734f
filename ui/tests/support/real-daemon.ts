import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { WebSocket, WebSocketServer } from 'ws';
import type { Session } from '../../src/lib/client/generated/protocol';
import { addressOf, serveFiles } from './files';

const run = promisify(execFile);
const TARGET =
  process.env['BELFRY_TARGET'] ?? fileURLToPath(new URL('../../../target/debug', import.meta.url));
const FILES = process.env['BELFRY_UI_FILES'] ?? fileURLToPath(new URL('../../dist-test', import.meta.url));
/** A real daemon in a home of its own, with `belfry serve` before it. */
export class RealDaemon {
  private constructor(
    readonly home: string,
    private readonly serve: ChildProcess,
    private readonly files: Server,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** In a home of the system's own where `HOME` is given one. */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<RealDaemon> {
    const belfry = join(TARGET, 'belfry');
    if (!existsSync(belfry))
      throw new Error(`${belfry} is missing: cargo build -p belfry-cli -p belfry-keeper`);
    const home = await mkdtemp(join(tmpdir(), 'belfry-ui-'));
    const serve = spawn(belfry, ['serve', '--json'], {
      env: { ...process.env, ...env, BELFRY_HOME: home },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const told = await new Promise<string>((resolve, reject) => {
      createInterface({ input: serve.stdout }).once('line', resolve);
      serve.once('exit', (code) => reject(new Error(`belfry serve ended with ${code}`)));
    });
    const { port, token, cookie } = JSON.parse(told) as { port: number; token: string; cookie: string };
    const files = await serveFiles(FILES);
    passSockets(files, `127.0.0.1:${port}`, `${cookie}=${token}`);
    return new RealDaemon(home, serve, files, env);
  }

  async cli(...args: string[]): Promise<string> {
    const env = { ...process.env, ...this.env, BELFRY_HOME: this.home };
    const { stdout } = await run(join(TARGET, 'belfry'), args, { env, maxBuffer: 64 << 20 });
    return stdout;
  }

  /** A session that runs a shell command, and its id. */
  async run(name: string, ...command: string[]): Promise<string> {
    const id = await this.cli(
      'new',
      '--agent',
      'shell',
      '--cwd',
      this.home,
      '--name',
      name,
      '--',
      ...command,
    );
    return id.trim();
  }

  async session(id: string): Promise<Session> {
    return JSON.parse(await this.cli('show', id, '--json')) as Session;
  }

  async pid(): Promise<number> {
    return (JSON.parse(await this.cli('daemon', 'status', '--json')) as { pid: number }).pid;
  }

  /** Opens the window, with the files of the test build before the real server. */
  async open(page: Page): Promise<void> {
    await page.goto(addressOf(this.files));
    await page.waitForSelector('html[data-ready=true]');
  }

  async stop(): Promise<void> {
    const sessions = JSON.parse(await this.cli('ls', '--all', '--json')) as Session[];
    // What others run on this machine is listed as well, and what runs beside a session goes with it.
    const own = sessions.filter(({ kind, runs_for: beside }) => kind === 'managed' && !beside);
    for (const { id } of own) await this.cli('rm', id, '--now', '--kill');
    await this.cli('daemon', 'stop');
    this.serve.kill();
    this.files.close();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Carries each socket of the page to `belfry serve`, byte for byte. */
function passSockets(files: Server, host: string, cookie: string): void {
  new WebSocketServer({ server: files, path: '/socket' }).on('connection', (page) => {
    const real = new WebSocket(`ws://${host}/socket`, { origin: `http://${host}`, headers: { cookie } });
    const early: Buffer[] = [];
    page.on('message', (bytes: Buffer) =>
      real.readyState === WebSocket.OPEN ? real.send(bytes) : early.push(bytes),
    );
    real.on('open', () => early.splice(0).forEach((bytes) => real.send(bytes)));
    real.on('message', (bytes: Buffer) => page.send(bytes));
    real.on('error', () => page.terminate());
    real.on('close', () => page.close());
    page.on('close', () => real.close());
  });
}
