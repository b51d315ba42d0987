import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Compresses the files that get smaller, at build time, so that the server need not. */
function compressed(): Plugin {
  let folder = 'dist';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: (config) => void (folder = config.build.outDir),
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        const smaller = gzipSync(bytes, { level: 9 });
        if (smaller.length < bytes.length) writeFileSync(`${path}.gz`, smaller);
      }
    },
  };
}

/** The server behind the development page. Its token also comes from the environment. */
const behind = process.env.ETUDE_URL ?? 'http://127.0.0.1:7300';

export default defineConfig({
  plugins: [svelte(), compressed()],
  build: {
    target: 'es2022',
    // Small files stay files: the policy of the page allows no inline script.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/sign-in', '/open'].map((path) => [
        path,
        {
          target: behind,
          changeOrigin: true,
          ws: true,
          headers: { origin: behind, authorization: `Bearer ${process.env.ETUDE_TOKEN ?? ''}` },
        },
      ]),
    ),
  },
});
