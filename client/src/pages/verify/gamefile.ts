// The file of a finished game: tags in brackets, then its moves (docs/notation.md).
import type { ShuffleRecord } from '../../wire/fair'
import type { OptionValue } from '../../preferences.svelte'
import type { Options } from '../rulebook/book'
import type { Previous } from './draw'

export interface GameFile {
  tags: Record<string, string>
  options: Options
  players: string[]
  dealer: number
  attacker: number
  pack: string[]
  previous: Previous | null
  shuffle: ShuffleRecord
}

const HEX = /^[0-9a-f]{64}$/
/** What the file writes behind a name: who plays is told otherwise here. */
const KIND = / \((?:person|easy|normal|hard)\)$/
const CARD = /^[2-9TJQKA][cdhs]$/

/** Read a game's file; null for any other text. */
export function readGame(text: string): GameFile | null {
  const tags = Object.fromEntries(
    [...text.matchAll(/^\[(\w+) "((?:[^"\\]|\\.)*)"\]\r?$/gm)].map(([, name, word]) => [name!, word!.replace(/\\(.)/g, '$1')]),
  )
  const shuffle = readShuffle(tags.Shuffle ?? '')
  const options = Object.fromEntries((tags.Options ?? '').split(',').map((item) => readOption(item)))
  const pack = (tags.Pack ?? '').split(' ')
  const seats = Number(options.seats)
  if (!shuffle || !(seats >= 2 && seats <= 6) || ![24, 36, 52].includes(Number(options.deck)) || !pack.every((card) => CARD.test(card))) {
    return null
  }
  const previous = tags.Previous === undefined ? null : readPrevious(tags.Previous)
  const [dealer, attacker] = [Number(tags.Dealer), Number(tags.Attacker)]
  const players = (tags.Players ?? '').split(/; ?/).map((player) => player.replace(KIND, ''))
  return { tags, options, players, dealer, attacker, pack, previous, shuffle }
}

function readOption(item: string): [string, OptionValue] {
  const [name = '', word = ''] = item.split('=')
  if (word === 'true' || word === 'false') return [name, word === 'true']
  return [name, /^\d+$/.test(word) ? Number(word) : word]
}

function readPrevious(text: string): Previous | null {
  const words = Object.fromEntries(text.split(',').map((item) => item.split('=') as [string, string]))
  const seat = (name: string): number | null => (/^[0-5]$/.test(words[name] ?? '') ? Number(words[name]) : null)
  const [dealer, last_defender] = [seat('dealer'), seat('last_defender')]
  return dealer === null || last_defender === null ? null : { dealer, last_defender, durak: seat('durak'), winner: seat('winner') }
}

/** Read the record of a shuffle; null for what is none. */
export function readShuffle(text: string): ShuffleRecord | null {
  try {
    const { protocol, game, server, seats } = JSON.parse(text) as ShuffleRecord & { protocol: string }
    const isRecord =
      protocol === 'kozyr/1' &&
      typeof game === 'string' &&
      HEX.test(server.commitment) &&
      HEX.test(server.seed) &&
      seats.every(({ origin, commitment, seed }) =>
        origin === 'absent' ? true : ['seat', 'server'].includes(origin) && HEX.test(commitment ?? '') && HEX.test(seed ?? ''),
      )
    return isRecord ? { game, server, seats } : null
  } catch {
    return null
  }
}
