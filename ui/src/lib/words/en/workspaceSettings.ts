/** The page of settings about workspaces. */
export const workspaceSettings = {
  whereANewSessionWorks: 'Where a new session works, unless its project or you say otherwise.',
  ports: 'Ports',
  portsText: 'Each workspace has some of its own, in BELFRY_PORT and the numbers after it.',
  firstPort: 'The first',
  lastPort: 'The last',
  portsEach: 'For each workspace',
  all: 'All workspaces',
  allHint: 'With their size, and what can go',
  show: 'Show',
};
