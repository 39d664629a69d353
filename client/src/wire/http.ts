// The HTTP interface: tables are opened and found here, and played over their websocket.
import type {
  Blocks, Choices, Coins, Joined, JoinTable, NewReport, NewTable, Problem, Reported, TableCard, TableOpened,
} from './messages'

/** The server's answer, or why there is none: `offline` when it could not be reached. */
export type Answer<T> = { ok: true; body: T } | { ok: false; problem: Problem }

export async function ask<T>(path: string, init?: RequestInit): Promise<Answer<T>> {
  let response: Response
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init })
  } catch {
    return { ok: false, problem: { code: 'offline' } }
  }
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return { ok: true, body: body as T }
  return { ok: false, problem: (body as Problem | null) ?? { code: response.status === 404 ? 'no_table' : 'unexpected' } }
}

/** Ask the server to change something. */
export function tell<T>(path: string, body: unknown): Promise<Answer<T>> {
  return ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

export function openTable(table: NewTable): Promise<Answer<TableOpened>> {
  return tell('/api/tables', table)
}

/** Take a seat of a table. */
export function joinTable(id: string, seat: JoinTable): Promise<Answer<Joined>> {
  return tell(`/api/tables/${encodeURIComponent(id)}/seats`, seat)
}

export async function findTable(id: string): Promise<Answer<TableCard>> {
  const answer = await ask<TableCard>(`/api/tables/${encodeURIComponent(id)}`)
  // What no table could be called has no page of its own at the server.
  return answer.ok || answer.problem.code !== 'no_page' ? answer : { ok: false, problem: { code: 'no_table' } }
}

/** One's own coins and the last postings. */
export function ownCoins(): Promise<Answer<Coins>> {
  return ask('/api/coins')
}

export function choices(): Promise<Answer<Choices>> {
  return ask('/api/options')
}

/** Everybody whom one has blocked. */
export function blocks(): Promise<Answer<Blocks>> {
  return ask('/api/blocks')
}

/** Block a player, or no longer. */
export function block(player: string, on: boolean): Promise<Answer<Blocks>> {
  return ask(`/api/blocks/${encodeURIComponent(player)}`, { method: on ? 'PUT' : 'DELETE' })
}

/** Tell the operator about a player of a table. */
export function report(about: NewReport): Promise<Answer<Reported>> {
  return tell('/api/reports', about)
}
