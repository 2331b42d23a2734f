import type { Usage } from '$lib/client/generated/protocol';
import { say } from '$lib/words';
import { number } from '$lib/words/locale';

/** One number of a conversation. */
export interface Figure {
  key: 'input' | 'output' | 'cache' | 'cost' | 'context';
  name: string;
  value: string;
  /** All of it, where the value is short. */
  title: string;
}

const { figures } = say.transcript;

/** A count in few signs: `18.4k`, `1.2M`. */
export function short(count: number): string {
  if (count < 1000) return number(count);
  const [unit, sign] = count < 999_950 ? [1000, 'k'] : [1_000_000, 'M'];
  const value = count / unit;
  return `${number(value, value < 100 ? 1 : 0)}${sign}`;
}

/** Dollars, to the cent; what is less than one is not called nothing. */
export function dollars(cost: number): string {
  return cost > 0 && cost < 0.01 ? figures.lessThanACent : `$${number(cost, 2)}`;
}

/** Share of the context that is filled, where its size is known. */
export function filled({ context, context_size }: Usage): number | null {
  return context !== null && context_size ? Math.min(1, context / context_size) : null;
}

/** What it has used, without what is not known. */
export function used(usage: Usage): Figure[] {
  const list: Figure[] = [];
  const put = (key: Figure['key'], name: string, value: string, title: string) =>
    list.push({ key, name, value, title });
  const share = filled(usage);
  if (share !== null && usage.context !== null && usage.context_size !== null)
    put(
      'context',
      figures.context,
      figures.percent(Math.round(share * 100)),
      figures.contextOf(usage.context, usage.context_size),
    );
  else if (usage.context !== null)
    put('context', figures.context, short(usage.context), figures.contextTokens(usage.context));
  if (usage.cost !== null) put('cost', figures.cost, dollars(usage.cost), figures.costTitle);
  if (usage.input + usage.output > 0) {
    put('input', figures.input, short(usage.input), figures.tokensIn(usage.input));
    put('output', figures.output, short(usage.output), figures.tokensOut(usage.output));
  }
  const cache = usage.cache_read + usage.cache_write;
  if (cache > 0)
    put('cache', figures.cache, short(cache), figures.cached(usage.cache_read, usage.cache_write));
  return list;
}
