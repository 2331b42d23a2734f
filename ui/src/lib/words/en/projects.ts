/** What is done to projects and groups, as it is told. */
export const projects = {
  nameIsAProjectNow: (name: string) => `${name} is a project now.`,
  undo: 'Undo',
  nameIsNoProjectAnyMore: (name: string) => `${name} is no project any more. Its sessions stay.`,
  nameStartsAgent: (name: string, agent: string) => `${name} starts ${agent}, which is not on this machine.`,
  newGroup: 'New group',
  theGroupNameIsGone: (name: string) => `The group ${name} is gone; its sessions stay.`,
};
