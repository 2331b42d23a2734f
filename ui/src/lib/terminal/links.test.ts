import { expect, it } from 'vitest';
import { openable } from './links';

it.each<[string, string | undefined]>([
  ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['mailto:someone@example.org', 'mailto:someone@example.org'],
  ['HTTPS://EXAMPLE.ORG', 'https://example.org/'],
  ['https://еxample.org', 'https://xn--xample-2of.org/'],
  ['https://bank.example@evil.example/', undefined],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['data:text/html,x', undefined],
  ['vscode://file/etc/passwd', undefined],
  ['ssh://host', undefined],
  ['x-man-page:ls', undefined],
  ['\\\\server\\share', undefined],
  ['example.org', undefined],
  [`https://example.org/${'a'.repeat(3000)}`, undefined],
])('%s', (address, opened) => {
  expect(openable(address)).toBe(opened);
});
