import { number } from '../locale';

/** Projects that are fetched by their address. */
export const addresses = {
  folderOrAddress: 'Folder or address',
  willBeFetchedSomewhere:
    'It is fetched beside your other projects, with your own git and ssh: what they can reach is reached.',
  into: 'Into the directory',
  intoPlaceholder: 'Beside your other projects',
  fetch: 'Fetch',
  fetching: (name: string) => `Fetching ${name}`,
  step: (step: string, percent: number) => `${step} ${number(percent)} %`,
  cancel: 'Cancel',
  cancelName: (name: string) => `Stop fetching ${name}`,
  failed: (name: string) => `${name} was not fetched`,
  retry: 'Try again',
  forget: 'Forget',
  forgetName: (name: string) => `Forget that ${name} was not fetched`,
  done: (name: string) => `${name} is a project now.`,
  cancelled: (name: string) => `${name} is not fetched. What had come is deleted.`,
  list: 'Being fetched',
  aProject: 'A project',
  aProjectText: 'A folder that you have, or the address of a repository, which is fetched for you.',
  addAProject: 'Add a project…',
};
