// The HTTP interface about oneself and other people; only pages that are loaded later ask it.
import { ask, tell, type Answer } from './http'
import type { ChangeMe, Coins, Games, Me, PasskeyOptions, Profile, SeriesList } from './messages'

const before = (number?: number): string => (number === undefined ? '' : `?before=${number}`)

/** The record of a finished game, as a file. */
export async function gameText(table: string, number: number): Promise<Answer<string>> {
  const path = `/api/tables/${encodeURIComponent(table)}/games/${number}`
  const response = await fetch(path, { credentials: 'same-origin' }).catch(() => null)
  if (response?.ok) return { ok: true, body: await response.text() }
  return response ? ask(path) : { ok: false, problem: { code: 'offline' } }
}

/** One's own coins, and the postings numbered below *number*. */
export function coinsBefore(number?: number): Promise<Answer<Coins>> {
  return ask(`/api/coins${before(number)}`)
}

export function whoAmI(): Promise<Answer<Me>> {
  return ask('/api/me')
}

export function changeMe(change: Partial<ChangeMe>): Promise<Answer<Me>> {
  return ask('/api/me', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) })
}

export function playedGames(number?: number): Promise<Answer<Games>> {
  return ask(`/api/me/games${before(number)}`)
}

export function playedSeries(number?: number): Promise<Answer<SeriesList>> {
  return ask(`/api/me/series${before(number)}`)
}

export function profileOf(player: string): Promise<Answer<Profile>> {
  return ask(`/api/players/${encodeURIComponent(player)}`)
}

export function openAccount(password: string): Promise<Answer<Me>> {
  return tell('/api/account', { password })
}

export function setPassword(fresh: string, old?: string): Promise<Answer<Me>> {
  return tell('/api/account/password', { new: fresh, ...(old !== undefined && { old }) })
}

export function logIn(name: string, password: string): Promise<Answer<Me>> {
  return tell('/api/login', { name, password })
}

export function logOut(everywhere: boolean): Promise<Answer<Me>> {
  return tell('/api/logout', { everywhere })
}

export function removePasskey(id: string): Promise<Answer<Me>> {
  return ask(`/api/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** Whether this browser at this address can make and use passkeys. */
export function hasPasskeys(): boolean {
  return isSecureContext && typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

type Ceremony = 'create' | 'get'
const PATHS = { create: '/api/passkeys', get: '/api/login/passkey' }

/** Make a passkey, or log in with one; `stopped` when the reader or the device did not go through with it. */
export async function passkey(ceremony: Ceremony, name = ''): Promise<Answer<Me>> {
  const begun = await ask<PasskeyOptions>(`${PATHS[ceremony]}/begin`, { method: 'POST' })
  if (!begun.ok) return begun
  const credential = await askDevice(ceremony, begun.body.options)
  if (!credential) return { ok: false, problem: { code: 'stopped' } }
  return tell(PATHS[ceremony], { credential: credential.toJSON() as unknown, ...(name && { name }) })
}

async function askDevice(ceremony: Ceremony, options: Record<string, unknown>): Promise<PublicKeyCredential | null> {
  try {
    const found =
      ceremony === 'create'
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) })
    return found as PublicKeyCredential | null
  } catch {
    // Cancelled, timed out, or a key that is there already: the browser has told its reader which.
    return null
  }
}
