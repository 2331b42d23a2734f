import type { Parser } from '@lezer/common';

type Load = () => Promise<Parser>;

const script =
  (dialect: string): Load =>
  async () =>
    (await import('@lezer/javascript')).parser.configure({ dialect });

const page: Load = async () => {
  const [html, js, css] = await Promise.all([
    import('@lezer/html'),
    import('@lezer/javascript'),
    import('@lezer/css'),
  ]);
  const wrap = html.configureNesting([
    { tag: 'script', parser: js.parser.configure({ dialect: 'ts' }) },
    { tag: 'style', parser: css.parser },
  ]);
  return html.parser.configure({ wrap });
};

const css: Load = async () => (await import('@lezer/css')).parser;
const cpp: Load = async () => (await import('@lezer/cpp')).parser;
const java: Load = async () => (await import('@lezer/java')).parser;
const json: Load = async () => (await import('@lezer/json')).parser;
const python: Load = async () => (await import('@lezer/python')).parser;
const yaml: Load = async () => (await import('@lezer/yaml')).parser;

/** Languages by the ends of files' names; each is fetched when a file of it is looked at first. */
const LANGUAGES: Readonly<Record<string, Load>> = {
  rs: async () => (await import('@lezer/rust')).parser,
  go: async () => (await import('@lezer/go')).parser,
  js: script('jsx'),
  mjs: script('jsx'),
  cjs: script('jsx'),
  jsx: script('jsx'),
  ts: script('ts'),
  mts: script('ts'),
  cts: script('ts'),
  tsx: script('jsx ts'),
  html: page,
  htm: page,
  vue: page,
  svelte: page,
  css,
  scss: css,
  less: css,
  c: cpp,
  h: cpp,
  cc: cpp,
  cpp,
  cxx: cpp,
  hpp: cpp,
  java,
  kt: java,
  cs: java,
  json,
  jsonc: json,
  py: python,
  pyi: python,
  yml: yaml,
  yaml,
};

/** Languages of which comments, texts and numbers are told apart, and no more. */
const PLAIN = new Set([
  'sh',
  'bash',
  'zsh',
  'fish',
  'toml',
  'rb',
  'conf',
  'ini',
  'cfg',
  'mk',
  'env',
  'tf',
  'nix',
  'r',
  'pl',
]);
const PLAIN_NAMES = /^(dockerfile|makefile|justfile|gemfile|rakefile|\.\w*(ignore|rc|env|attributes))$/i;

/** How the lines of a file are coloured, by its path. */
export function languageOf(path: string): { load: Load } | 'plain' | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const end = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const load = Object.hasOwn(LANGUAGES, end) ? LANGUAGES[end] : undefined;
  if (load) return { load };
  return PLAIN.has(end) || PLAIN_NAMES.test(name) ? 'plain' : null;
}
