import { defineConfig } from 'vitest/config';

/** Tests in a real browser. One file at a time: they share the machine with a daemon and its terminals. */
export default defineConfig({
  test: {
    include: ['tests/**/*.browser.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 40_000,
    fileParallelism: false,
    // The browser's own library takes two seconds to load: once for all files.
    isolate: false,
    // On a machine that stalls one test may miss its time: it alone is tried again, and named.
    retry: 1,
  },
});
