import { describe, expect, it } from 'vitest';
import { branchFor, completions, isBranchName, localName, meant, unused } from './branch';

const NAMES = ['main', 'feature/cart', 'fork-thing', 'origin/main', 'origin/release', 'upstream/main'];

describe('a branch that is named after a prompt', () => {
  it.each([
    ['Rotate refresh tokens and revoke the old family on reuse', 'rotate-refresh-tokens'],
    ['  please fix the login page, it is slow', 'fix-login-page'],
    ['Fix: totals are off by one cent on split tax again today', 'fix-totals-are-off-by-one'],
    ['Äpfel zählen', 'apfel-zahlen'],
    ['修正 登录', '修正-登录'],
    ['deadbeef', 'work-deadbeef'],
    ['?!', ''],
    ['', ''],
    [`${'x'.repeat(90)} y`, 'x'.repeat(40)],
    ['Add `npm run dev` to README.md', 'add-npm-run-dev-to-readme'],
  ])('%s', (prompt, name) => {
    expect(branchFor(prompt)).toBe(name);
    if (name) expect(isBranchName(name)).toBe(true);
  });

  it('has a number where there is one of that name, here or at a remote', () => {
    expect(unused('cart', NAMES)).toBe('cart');
    expect(unused('main', NAMES)).toBe('main-2');
    expect(unused('Release', NAMES)).toBe('Release-2');
    expect(unused('main', [...NAMES, 'main-2'])).toBe('main-3');
    expect(unused('', NAMES)).toBe('');
  });
});

describe('names', () => {
  it.each(['a', 'a/b', 'fix-1.2', 'Ünicode'])('%s can be a branch', (name) => {
    expect(isBranchName(name)).toBe(true);
  });
  it.each([
    '',
    '-a',
    'a b',
    'a..b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.',
    '@',
    'HEAD',
    'a@{b',
    'a\u0007',
  ])('%s cannot', (name) => expect(isBranchName(name)).toBe(false));
  it('of remotes are told from local ones with a slash', () => {
    expect(NAMES.map((name) => localName(name, NAMES))).toEqual([
      'main',
      'feature/cart',
      'fork-thing',
      'main',
      'release',
      'main',
    ]);
  });
});

describe('what was meant', () => {
  it.each([
    ['origin/relese', 'origin/release'],
    ['relaese', 'origin/release'],
    ['Main', 'main'],
    ['mian', 'main'],
    ['something else', undefined],
  ])('by %s', (typed, name) => {
    expect(meant(typed, NAMES)).toBe(name);
  });
  it('is offered while it is typed', () => {
    expect(completions('main', NAMES)).toEqual(['main', 'origin/main', 'upstream/main']);
    expect(completions('rel', NAMES)).toEqual(['origin/release']);
    expect(completions('', NAMES, 2)).toEqual(['main', 'feature/cart']);
  });
});
