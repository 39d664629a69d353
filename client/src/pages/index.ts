// The pages: each is fetched when somebody goes there. Home and the table have their words from the beginning.
import type { Component } from 'svelte'
import { sayMore } from '../i18n.svelte'

type Parts = string[]
type Page = Component<{ parts: Parts }>
type Loader = () => Promise<{ default: Page }>

// Home asks for nothing that an address could say.
const home = () => import('./Home.svelte') as Promise<unknown> as ReturnType<Loader>
const table: Loader = () => import('./Table.svelte')
const TABLE = /^\/t\/([\w-]+)\/?$/

/** Each other page with its address; what the address leaves open are its `parts`. */
const PAGES: [RegExp, Loader][] = [
  [/^\/new\/?$/, () => import('./create/Create.svelte')],
  [/^\/tables(?:\/(watch))?\/?$/, () => import('./lobby/Lobby.svelte')],
  [/^\/rules(?:\/([\w-]+))?\/?$/, () => import('./rulebook/Rulebook.svelte')],
  [/^\/verify(?:\/([\w-]+)\/(\d+))?\/?$/, () => import('./verify/Verify.svelte')],
  [/^\/coins\/?$/, () => import('./coins/Coins.svelte')],
  [/^\/me\/?$/, () => import('./profile/Me.svelte')],
  [/^\/p\/([\w-]+)\/?$/, () => import('./profile/Other.svelte')],
  [/^\/(?!index\.html$)./, () => import('./Nowhere.svelte')],
]

export interface Place {
  load: () => Promise<Page>
  parts: Parts
}

/** What an address leads to;  `later` says whether it has words that are fetched with it. */
function find(path: string): { loader: Loader; parts: Parts; later: boolean } {
  const id = TABLE.exec(path)?.[1]
  if (id) return { loader: table, parts: [id], later: false }
  for (const [address, loader] of PAGES) {
    const found = address.exec(path)
    if (found) return { loader, parts: found.slice(1), later: true }
  }
  return { loader: home, parts: [], later: false }
}

/** Find the page of an address. */
export function placeOf(path: string): Place {
  const { loader, parts, later } = find(path)
  return { parts, load: async () => (await Promise.all([loader(), later ? sayMore() : null]))[0].default }
}

/** Fetch the page of an address, without its words, before it is shown. */
export async function fetchPage(path: string): Promise<void> {
  await find(path).loader().catch(() => undefined)
}
