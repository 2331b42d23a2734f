/** Commands that run beside an agent: dev servers, tests. */
export const run = {
  run: 'Run',
  start: (name: string) => `Start ${name}`,
  stop: (name: string) => `Stop ${name}`,
  restart: (name: string) => `Restart ${name}`,
  output: (name: string) => `Output of ${name}`,
  open: (port: number) => `Open http://localhost:${port}`,
  port: (port: number) => `:${port}`,
  none: 'no command to run',
  add: 'Commands to run…',
  looking: 'Looking…',
  notRun: 'not running',
  sections: 'Commands beside it',
};
