import { form } from '../plural';

/** The bar on top. */
export const top = {
  needYou: (count: number) => form(count, 'needs you', 'need you'),
};
