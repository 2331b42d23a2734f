import { describe, expect, it } from 'vitest';
import { asAddress, isAddress, repositoryName } from './address';

describe('an address', () => {
  it.each([
    'https://github.com/acme/storefront.git',
    'ssh://git@host.example:2222/a/b',
    'file:///srv/git/a.git',
    'git@github.com:acme/storefront.git',
    'host.example:a/b.git',
    'work:storefront.git',
    'github.com/acme/storefront',
  ])('is %s', (text) => expect(isAddress(text)).toBe(true));

  it.each([
    '',
    '~',
    '~/src/a',
    '/srv/a',
    './a',
    '../a',
    'src/a',
    'storefront',
    'C:\\src\\a',
    'C:/src/a',
    'a b:c d',
  ])('is not %s', (text) => expect(isAddress(text)).toBe(false));

  it('without a scheme gets one', () => {
    expect(asAddress(' github.com/acme/storefront ')).toBe('https://github.com/acme/storefront');
    expect(asAddress('git@github.com:acme/a.git')).toBe('git@github.com:acme/a.git');
  });

  it('names the repository', () => {
    expect(repositoryName('https://github.com/acme/storefront.git')).toBe('storefront');
    expect(repositoryName('git@github.com:acme/storefront.git/')).toBe('storefront');
    expect(repositoryName('host:storefront')).toBe('storefront');
  });
});
