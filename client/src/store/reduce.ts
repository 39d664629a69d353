// What a message of the server makes of the state. No page, no socket, no clock.
import type { Event, Said, ServerMessage, Update, Welcome } from '../wire/messages'
import { after } from './fold'
import { fill, type Seen } from './seen'
import { LOG_MAX, type Entry, type News, type SaidAloud, type State } from './state'

/** Tell what *message* makes of *state*; it came *at* that millisecond of the page's clock. */
export function reduce(state: State, message: ServerMessage, at = 0): State {
  switch (message.t) {
    case 'welcome':
      return welcome(state, message, at)
    case 'update':
      return message.seq > state.seq ? conclude(tell(state, message.events, state.seen), message, at) : state
    case 'said':
      return said(state, message)
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

function welcome(state: State, message: Welcome, at: number): State {
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
    clock: clock(message, at),
    missed: (message.missed ?? []).length,
  }
}

/** Add *events* to the log; *seen* is the view that they happened in. */
export function tell(state: State, events: (Event | SaidAloud)[], seen: Seen | null): State {
  if (!events.length) return state
  let n = state.log.at(-1)?.n ?? 0
  const defender = state.seen?.defender ?? null
  const entries = events.map((event): Entry => ({ n: ++n, event, trump: seen?.trump ?? null, defender }))
  let { verdict, news, unpaid } = state
  for (const { event, n } of entries) {
    if (event.e === 'open') verdict = news = unpaid = null
    if (event.e === 'challenge') verdict = { n, event, defender }
    if (isNews(event)) news = { n, event }
    if (event.e === 'ready' && event.unpaid) unpaid = { n, seats: [...(unpaid?.n === n - 1 ? unpaid.seats : []), event.seat] }
  }
  return { ...state, log: [...state.log, ...entries].slice(-LOG_MAX), verdict, news, unpaid }
}

function isNews(event: Event | SaidAloud): event is News {
  return event.e === 'resign' || event.e === 'autopilot' || (event.e === 'time' && event.why !== 'waiting')
}

/** Take over what *update* ends in, once its events have been told. */
export function conclude(state: State, update: Update, at = 0): State {
  return {
    ...state,
    seq: update.seq,
    table: update.table ?? state.table,
    seen: after(state.seen, update),
    reveal: update.reveal ?? (update.events.some((event) => event.e === 'open') ? null : state.reveal),
    clock: clock(update, at),
    missed: 0,
  }
}

// What was missed are the last entries of the log: this is one more.
function said(state: State, { seat, phrase }: Said): State {
  const told = tell(state, [{ e: 'said', seat, phrase }], state.seen)
  return { ...told, missed: state.missed ? state.missed + 1 : 0 }
}

function clock(message: Welcome | Update, at: number): State['clock'] {
  const { seq, left_ms: ms, of_ms: of } = message
  return ms === undefined ? null : { seq, ms, of: Math.max(ms, of ?? ms), ends: at + ms }
}

function presence(state: State, seat: number, here: boolean): State {
  if (!state.table) return state
  const players = state.table.players.map((player, i) => (i === seat ? { ...player, here } : player))
  return { ...state, table: { ...state.table, players } }
}
