import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { catalogue } from './catalogue.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
// Where `npm run dev` finds a running server.
const server = 'http://127.0.0.1:8000'

// Many small files are larger than one: what home and the table have in common is one, what the table has of its own another.
const BASE = [
  'node_modules/svelte', 'src/(App|main|i18n|preferences|route)', 'src/felt/(Card|Face|Court|Sprite|Icon|faces)',
  'src/pages/(index|rules|words|TopBar|Languages|Loading)', 'src/wire/http', 'locale/en.json.part=first', 'preload-helper',
]
const FELT = ['src/(felt(?!/kit)|store|wire(?!/(people|fair)))/', 'src/pages/table/(Avatar|Counter|bubble|summon|tints)']
const GROUPS = [
  { name: 'base', test: new RegExp(BASE.join('|')) },
  { name: 'felt', test: new RegExp(FELT.join('|')) },
]

export default defineConfig({
  plugins: [catalogue, svelte()],
  resolve: { alias: { '@locale': `${repository}src/kozyr/locale` } },
  server: { fs: { allow: [repository] }, proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  // Nothing is inlined as a data: address, so that the page's content security policy needs none.
  build: {
    target: 'es2022',
    outDir: 'dist',
    assetsInlineLimit: 0,
    // What a page needs further is found by itself; lists of it in every file would cost more than they bring.
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')) },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  // contrast.test.ts reads the theme.
  test: { css: true, include: ['tests/**/*.test.ts'] },
})
