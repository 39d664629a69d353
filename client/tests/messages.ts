// Server messages for the tests, as small as the wire allows.
import type { Event, TableView, Update, View, Welcome } from '../src/wire/messages'

export const TABLE: TableView = {
  id: 'felt',
  options: { deck: 36, seats: 3, transfer: true, throw_scope: 'all', first_limit: 5, cheat: false, draws: true },
  players: [
    { name: 'Ada', kind: 'person' },
    { name: 'Bot 1', kind: 'bot', level: 'easy' },
    { name: 'Bot 2', kind: 'bot', level: 'easy' },
  ],
  game: 1,
  stage: 'playing',
}

/** Seat 0 attacks seat 1; trump is spades. */
export function view(change: Partial<View> = {}): View {
  return {
    phase: 'OPENING',
    bout_no: 1,
    trump: 's',
    trump_card: '6s',
    stock: 18,
    seats: [{ cards: 6 }, { cards: 6 }, { cards: 6 }],
    attacker: 0,
    defender: 1,
    waiting: [0],
    limit: 5,
    h0: 6,
    capacity: 5,
    hand: ['7h', '7c', '9d', 'Td', 'Ks', 'Ah'],
    legal: ['attack 7h', 'attack 7c', 'attack 9d', 'attack Td', 'attack Ks', 'attack Ah'],
    ...change,
  }
}

export function welcome(change: Partial<Welcome> = {}): Welcome {
  return { t: 'welcome', v: 1, seq: 10, table: TABLE, seat: 0, view: view(), ...change }
}

export function update(seq: number, events: Event[], change: Partial<View> = {}): Update {
  return { t: 'update', seq, events, view: view(change) }
}
