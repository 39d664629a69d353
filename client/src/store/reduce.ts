// What a message of the server makes of the state. No page, no socket, no clock.
import type { Event, ServerMessage, Update, Welcome } from '../wire/messages'
import { after } from './fold'
import { fill, type Seen } from './seen'
import { LOG_MAX, type Entry, type State } from './state'

/** Tell what *message* makes of *state*. */
export function reduce(state: State, message: ServerMessage): State {
  switch (message.t) {
    case 'welcome':
      return welcome(state, message)
    case 'update':
      return message.seq > state.seq ? conclude(tell(state, message.events, state.seen), message) : state
    case 'presence':
      return presence(state, message.seat, message.here)
    case 'refused':
      return { ...state, refusal: { n: (state.refusal?.n ?? 0) + 1, code: message.code, about: message.about ?? '' } }
    case 'fault':
      return { ...state, fault: { n: (state.fault?.n ?? 0) + 1, code: message.code, about: message.about ?? '' } }
    case 'ack':
    case 'pong':
      return state
  }
}

function welcome(state: State, message: Welcome): State {
  const seen = message.view ? fill(message.view) : null
  const told = tell(state, message.missed ?? [], seen ?? state.seen)
  return {
    ...told,
    seq: message.seq,
    table: message.table,
    seat: message.seat ?? null,
    seen,
    reveal: message.reveal ?? null,
    fault: null,
    clock: clock(message),
    missed: (message.missed ?? []).length,
  }
}

/** Add *events* to the log; *seen* is the view that they happened in. */
export function tell(state: State, events: Event[], seen: Seen | null): State {
  if (!events.length) return state
  let n = state.log.at(-1)?.n ?? 0
  const entries = events.map((event): Entry => ({ n: ++n, event, trump: seen?.trump ?? null }))
  let verdict = state.verdict
  for (const { event, n } of entries) {
    if (event.e === 'open') verdict = null
    if (event.e === 'challenge') verdict = { n, event }
  }
  return { ...state, log: [...state.log, ...entries].slice(-LOG_MAX), verdict }
}

/** Take over what *update* ends in, once its events have been told. */
export function conclude(state: State, update: Update): State {
  return {
    ...state,
    seq: update.seq,
    table: update.table ?? state.table,
    seen: after(state.seen, update),
    reveal: update.reveal ?? (update.events.some((event) => event.e === 'open') ? null : state.reveal),
    clock: clock(update),
    missed: 0,
  }
}

function clock(message: Welcome | Update): State['clock'] {
  return message.left_ms === undefined ? null : { seq: message.seq, ms: message.left_ms }
}

function presence(state: State, seat: number, here: boolean): State {
  if (!state.table) return state
  const players = state.table.players.map((player, i) => (i === seat ? { ...player, here } : player))
  return { ...state, table: { ...state.table, players } }
}
