// Tells Belfry what this session does. Written for one launch; nothing of yours is changed.
import { spawn } from "node:child_process";

const program = "{PROGRAM}";
const events = new Set(["{EVENTS}"]);
const fileVariable = "{FILE_ENV}";

// What this session starts must not speak for it: an agent inside would read the same configuration.
// It may be loaded more than once.
const kept = Symbol.for("belfry.hook");
globalThis[kept] ??= process.env[fileVariable];
const file = globalThis[kept];
delete process.env[fileVariable];

const longestQueue = 64;
const queue = [];
let running = false;

function next() {
  const call = queue.shift();
  if (!call) {
    running = false;
    return;
  }
  running = true;
  let over = false;
  const done = () => {
    if (!over) {
      over = true;
      next();
    }
  };
  try {
    const child = spawn(program, ["hook", call.name], {
      env: { ...process.env, [fileVariable]: file },
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.on("error", done);
    child.on("exit", done);
    child.stdin.on("error", () => {});
    child.stdin.end(call.payload);
    child.unref();
  } catch {
    done();
  }
}

export const Belfry = async () => ({
  event: async ({ event }) => {
    if (!file || !events.has(event?.type) || queue.length >= longestQueue) return;
    queue.push({ name: event.type, payload: JSON.stringify(event.properties ?? {}) });
    if (!running) next();
  },
});
