import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: fileURLToPath(new URL('./src/lib', import.meta.url)) } },
  // Relative, so that the same build works from the desktop's own scheme and from `belfry serve`.
  base: './',
  build: {
    // WebKitGTK of Debian 12 and macOS 13 onwards.
    target: ['safari16.4', 'chrome111'],
    // The content security policy has no data: scripts, and a font inlined as base64 is parsed at every start.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  test: { include: ['src/**/*.test.ts'], testTimeout: 10_000 },
});
