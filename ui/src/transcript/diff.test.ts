import { expect, it } from 'vitest';
import { counts, lines } from './diff';

const DIFF = `--- src/auth/store.rs
+++ src/auth/store.rs
@@ -61,4 +61,5 @@ impl Store
     fn rotate(&mut self) {
-        self.tokens.remove(&id);
+        let family = self.family_of(id)?;
+        self.revoke(family);
         self.issue(family)
-- a list in the file
`;

it('numbers the lines of a change', () => {
  expect(lines(DIFF)).toEqual([
    { sign: 'file', number: null, text: 'src/auth/store.rs' },
    { sign: 'hunk', number: null, text: 'impl Store' },
    { sign: null, number: 61, text: '    fn rotate(&mut self) {' },
    { sign: 'del', number: 62, text: '        self.tokens.remove(&id);' },
    { sign: 'add', number: 62, text: '        let family = self.family_of(id)?;' },
    { sign: 'add', number: 63, text: '        self.revoke(family);' },
    { sign: null, number: 64, text: '        self.issue(family)' },
    { sign: 'del', number: 64, text: '- a list in the file' },
  ]);
  expect(counts(DIFF)).toEqual({ added: 2, removed: 2 });
});

it('shows what is no whole diff as it is', () => {
  expect(lines('+ a\nb')).toEqual([
    { sign: 'add', number: null, text: ' a' },
    { sign: null, number: null, text: 'b' },
  ]);
  expect(lines('--- a.txt\n+++ /dev/null\n-x')[0]).toMatchObject({ sign: 'file', text: 'a.txt' });
});
