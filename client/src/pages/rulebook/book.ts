// The rules of a table as a list of sentences: which ones apply, and which are not the usual ones. The words are in the catalogue.
import type { Key } from '../../i18n.svelte'
import type { OptionValue } from '../../preferences.svelte'

export type Options = Record<string, OptionValue>

/** What an option is when nobody says otherwise; an empty `forfeit` follows from stake and seats. */
export const USUAL: Options = {
  deck: 36,
  seats: 2,
  throw_scope: 'all',
  throw_priority: 'free',
  pace: 'open',
  multi_attack: false,
  first_limit: 5,
  first_limit_scope: 'until_beaten',
  transfer: false,
  multi_transfer: false,
  show_transfer: false,
  transfer_first_bout: true,
  throw_on_take: true,
  draw_order: 'clockwise',
  draws: true,
  no_draw_durak: 'defender',
  cheat: false,
  penalty: 'take_bout',
  caught_bar: true,
  redeal: 'off',
  no_trump: 'lot',
  series: false,
  series_first: 'lowest_trump',
  split: 'linear',
  turn_s: 30,
  timeout: 'auto',
  forfeit: '',
  stake: 0,
  series_games: 0,
  challenge_ms: 3000,
}

/** Options that the rulebook is silent about: no table of the screen has them. */
export const NOT_SHOWN = ['pace']

/** The boards that a sentence may be shown with. */
export type BoardName = 'suit' | 'trump' | 'throw' | 'transfer' | 'show' | 'take' | 'cheat' | 'locked' | 'counter'

export interface Line {
  key: Key
  fill: Record<string, string | number>
  /** The usual rule is another one. */
  unusual: boolean
  board?: BoardName
}

export interface Section {
  id: string
  lines: Line[]
}

interface Extra {
  n?: string | number
  s?: string | number
  board?: BoardName
  unusual?: boolean
}

/** Collects the sentences of one section; those whose condition fails are left out. */
class Writer {
  readonly lines: Line[] = []

  constructor(private readonly id: string) {}

  say(name: string, when = true, { board, unusual = false, ...fill }: Extra = {}): this {
    if (when) this.lines.push({ key: `rulebook.${this.id}.${name}` as Key, fill, unusual, ...(board && { board }) })
    return this
  }
}

/** What a section asks about the table, worked out once. */
interface Table {
  o: Options
  seats: number
  two: boolean
  /** Every card is dealt: there is no stock (R2.4). */
  all: boolean
  unusual: (option: string) => boolean
}

const SECTIONS: Record<string, (table: Table, to: Writer) => Writer> = {
  aim: ({ o, two }, to) => to.say('goal').say(o.series || o.stake ? 'first' : 'last', !two),
  deck: ({ o, seats, all }, to) =>
    to
      .say(String(o.deck))
      .say('seats', true, { n: seats })
      .say(all ? 'all' : 'turned')
      .say('redeal', o.redeal === 'auto_5', { unusual: true })
      .say('fair'),
  first: ({ o, all, unusual }, to) =>
    to
      .say('lowest')
      .say(all ? 'shown' : 'turned')
      .say(String(o.no_trump), !all, { unusual: unusual('no_trump') })
      .say(`later.${o.series_first}`, true, { unusual: unusual('series_first') })
      .say('later.draw', o.series_first !== 'lowest_trump')
      .say('dealer'),
  attack: ({ unusual }, to) => to.say(unusual('multi_attack') ? 'several' : 'one', true, { unusual: unusual('multi_attack') }).say('must'),
  throw: ({ o, two, unusual }, to) =>
    to
      .say('rank', true, { board: 'throw' })
      .say(two ? 'two' : String(o.throw_scope), true, { unusual: !two && unusual('throw_scope') })
      .say(String(o.throw_priority), !two && o.throw_scope !== 'attacker', { unusual: unusual('throw_priority') })
      .say('done'),
  limit: ({ o, unusual }, to) =>
    o.first_limit === 6
      ? to.say('six', true, { unusual: true }).say('hand').say('counter', true, { board: 'counter' })
      : to
          .say(String(o.first_limit_scope), true, { unusual: unusual('first_limit_scope') })
          .say('hand')
          .say('counter', true, { board: 'locked' }),
  beat: (_, to) => to.say('suit', true, { board: 'suit' }).say('trump', true, { board: 'trump' }).say('free').say('done'),
  transfer: ({ o, two, unusual }, to) =>
    !o.transfer
      ? to
      : to
          .say('how', true, { board: 'transfer' })
          .say('when')
          .say('room')
          .say(two ? 'two' : 'chain')
          .say('limit')
          .say(o.multi_transfer ? 'several' : 'single', true, { unusual: unusual('multi_transfer') })
          .say('show', !!o.show_transfer, { board: 'show', unusual: true })
          .say(o.transfer_first_bout ? 'first' : 'not_first', true, { unusual: unusual('transfer_first_bout') }),
  take: ({ o, two, unusual }, to) =>
    to
      .say('how', true, { board: 'take' })
      .say(o.throw_on_take ? 'more' : 'at_once', true, { unusual: unusual('throw_on_take') })
      .say(two ? 'next.two' : 'next'),
  draw: ({ o, two, all, unusual }, to) =>
    all
      ? to
      : to
          .say('six')
          .say(two ? 'two' : String(o.draw_order), true, { unusual: !two && unusual('draw_order') })
          .say('last'),
  out: ({ o, seats, two, all }, to) =>
    to
      .say(all ? 'all' : 'stock')
      .say('places', !two)
      .say('next', !two)
      .say('durak')
      .say('draw', !!o.draws)
      .say(String(o.no_draw_durak), !o.draws, { unusual: true })
      .say('repeat', true, { n: 20 * seats }),
  cheat: ({ o, unusual }, to) => {
    if (!o.cheat) return to
    const rollback = o.penalty === 'rollback'
    return to
      .say('what', true, { board: 'cheat', unusual: true })
      .say('stands')
      .say('who')
      .say('not')
      .say('window', true, { s: Number(o.challenge_ms) / 1000, unusual: unusual('challenge_ms') })
      .say(String(o.penalty), true, { unusual: rollback })
      .say(`${o.penalty}.wrong`)
      .say('take_bout.next', !rollback)
      .say(rollback || o.caught_bar ? 'barred' : 'unbarred', true, { unusual: !rollback && !o.caught_bar })
  },
  series: ({ o }, to) =>
    !o.series
      ? to
      : to
          .say('count')
          .say(o.series_games ? 'games' : 'open', true, { n: Number(o.series_games) })
          .say('standing')
          .say('anew'),
  coins: ({ o, two, unusual }, to) =>
    !o.stake
      ? to.say('free')
      : to
          .say('stake', true, { n: Number(o.stake) })
          .say(two ? 'two' : String(o.split), true, { unusual: !two && unusual('split') })
          .say('draw')
          .say('only'),
  clock: ({ o, two, unusual }, to) => {
    const timed = Number(o.turn_s) > 0
    const ends = o.forfeit === 'end_game'
    return to
      .say(timed ? 'on' : 'off', true, { n: Number(o.turn_s) })
      .say('throw', timed)
      .say(String(o.timeout), timed, { unusual: unusual('timeout') })
      .say(timed ? 'lost' : 'lost.off')
      .say(String(o.forfeit), true, { unusual: o.forfeit !== usualForfeit(o) })
      .say('end_game.shares', ends && !!o.stake && !two)
  },
}

const usualForfeit = (o: Options): string => (o.stake || o.seats === 2 ? 'end_game' : 'autopilot')

/** Fill in what nobody has chosen. */
export function whole(options: Options): Options {
  const all = { ...USUAL, ...options }
  return { ...all, forfeit: all.forfeit || usualForfeit(all) }
}

/** Write the rules of a table: the sections that have something to say, in the order of a game. */
export function book(options: Options): Section[] {
  const o = whole(options)
  const seats = Number(o.seats)
  const table: Table = { o, seats, two: seats === 2, all: Number(o.deck) === 6 * seats, unusual: (name) => o[name] !== USUAL[name] }
  return Object.entries(SECTIONS)
    .map(([id, write]) => ({ id, lines: write(table, new Writer(id)).lines }))
    .filter((section) => section.lines.length)
}

/** What the page for new tables begins with, to make a table of these rules: a rule set as it is, or one's own. */
export function planOf(options: Options, preset: string | null): { preset: string; options: Options } {
  const library = [...NOT_SHOWN, 'challenge_ms', 'caught_bar']
  const unusual = Object.entries(options).filter(([name, value]) => name in USUAL && USUAL[name] !== value && !library.includes(name))
  return preset ? { preset, options: {} } : { preset: 'custom', options: Object.fromEntries(unusual) }
}

/** Say what each place is paid: the first place first, the durak last (R15.3, R15.4). */
export function shares(options: Options): number[] {
  const { stake, seats, split } = whole(options)
  const n = Number(seats)
  const pot = n * Number(stake)
  const weights = Array.from({ length: n }, (_, place) => {
    if (place === n - 1) return 0
    if (split === 'winner') return place ? 0 : 1
    return split === 'equal' ? 1 : n - 1 - place
  })
  const sum = weights.reduce((a, b) => a + b, 0)
  const paid = weights.map((weight) => Math.floor((pot * weight) / sum))
  const odd = pot - paid.reduce((a, b) => a + b, 0)
  const byFraction = weights.map((_, place) => place).sort((a, b) => ((pot * weights[b]!) % sum) - ((pot * weights[a]!) % sum) || a - b)
  for (const place of byFraction.slice(0, odd)) paid[place]! += 1
  return paid
}

/** Read options from an address's query, `transfer=true&seats=3`; what is no option of the book is left out. */
export function readOptions(query: string): Options {
  const found: Options = {}
  for (const [name, word] of new URLSearchParams(query)) {
    const usual = USUAL[name]
    if (usual === undefined) continue
    if (typeof usual === 'boolean' && /^(true|false)$/.test(word)) found[name] = word === 'true'
    else if (typeof usual === 'number' && /^\d{1,5}$/.test(word)) found[name] = Number(word)
    else if (typeof usual === 'string' && /^\w{0,24}$/.test(word)) found[name] = word
  }
  return found
}

/** Write options as an address's query: those that are not the usual ones. */
export function writeOptions(options: Options): string {
  const unusual = Object.entries(options).filter(([name, value]) => name in USUAL && USUAL[name] !== value)
  return new URLSearchParams(unusual.map(([name, value]) => [name, String(value)])).toString()
}
