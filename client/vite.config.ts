import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { catalogue } from './catalogue.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
// Where `npm run dev` finds a running server.
const server = 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [catalogue, svelte()],
  resolve: { alias: { '@locale': `${repository}src/kozyr/locale` } },
  server: { fs: { allow: [repository] }, proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  // Nothing is inlined as a data: address, so that the page's content security policy needs none.
  build: { target: 'es2022', outDir: 'dist', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // contrast.test.ts reads the theme.
  test: { css: true, include: ['tests/**/*.test.ts'] },
})
