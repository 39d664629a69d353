// The pages that are loaded when somebody goes there; home and the table are in the bundle.
import type { Component } from 'svelte'
import { sayMore } from '../i18n.svelte'

type Parts = string[]
type Page = Component<{ parts: Parts }>
type Loader = () => Promise<{ default: Page }>

/** Each page with its address; what the address leaves open are its `parts`. */
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

/** Find the page of an address, if it is one that is loaded when somebody goes there. */
export function placeOf(path: string): Place | null {
  for (const [address, loader] of PAGES) {
    const found = address.exec(path)
    if (found) return { parts: found.slice(1), load: async () => (await Promise.all([loader(), sayMore()]))[0].default }
  }
  return null
}
