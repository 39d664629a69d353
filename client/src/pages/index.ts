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
]

export interface Place {
  load: () => Promise<Page>
  parts: Parts
}

/** Find the page of an address; where there is none, it is home. */
export function placeOf(path: string): Place {
  const id = TABLE.exec(path)?.[1]
  if (id) return { parts: [id], load: async () => (await table()).default }
  for (const [address, loader] of PAGES) {
    const found = address.exec(path)
    if (found) return { parts: found.slice(1), load: async () => (await Promise.all([loader(), sayMore()]))[0].default }
  }
  return { parts: [], load: async () => (await home()).default }
}

/** Fetch the table before somebody goes there. */
export async function fetchTable(): Promise<void> {
  await table().catch(() => undefined)
}
