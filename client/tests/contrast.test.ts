// axe cannot judge gradients and see-through panels: every pair of colours that is read is judged here (WCAG 2.2, 1.4.3 and 1.4.11).
import { expect, test } from 'vitest'
import css from '../src/styles/theme.css?raw'

type Colour = [number, number, number, number]

function tokens(selector: string): Record<string, string> {
  const body = css.split(`${selector} {`)[1]!.split('}')[0]!
  return Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1]!, match[2]!.trim()]))
}

const dark = tokens(':root')
const THEMES = { dark, light: { ...dark, ...tokens(":root[data-theme='light']") } }

function colour(text: string): Colour {
  if (text.startsWith('#')) {
    const [r, g, b] = text.slice(1).match(/../g)!.map((pair) => parseInt(pair, 16)) as [number, number, number]
    return [r, g, b, 1]
  }
  const parts = text.match(/[\d.]+/g)!.map(Number)
  return [parts[0]!, parts[1]!, parts[2]!, parts[3] ?? 1]
}

function over(top: Colour, below: Colour): Colour {
  const mixed = [0, 1, 2].map((i) => top[i]! * top[3] + below[i]! * (1 - top[3]))
  return [mixed[0]!, mixed[1]!, mixed[2]!, 1]
}

function luminance([r, g, b]: Colour): number {
  const linear = (part: number): number => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

function contrast(front: Colour, back: Colour): number {
  const [low, high] = [luminance(over(front, back)), luminance(back)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

// What is read, on what; `a/b` is a lying over b. Text needs 4.5, and 3 if it is a shape or a border that has to be seen.
const FELT = ['felt-1', 'felt-2', 'felt-3', 'panel/felt-1', 'panel/felt-2', 'panel/felt-3', 'room-1', 'room-2', 'panel-solid']
const TEXT: [string, string[]][] = [
  ['text', [...FELT, 'hover/panel-solid', 'field/panel-solid', 'durak/panel-solid', 'mark/room-1', 'mark/room-2', 'field/room-1', 'field/room-2']],
  ['muted', [...FELT, 'hover/panel-solid']],
  ['soft', ['room-1', 'room-2', 'panel-solid', 'field/room-1', 'field/room-2']],
  ['danger', ['panel-solid', 'room-1', 'room-2']],
  ['on-accent', ['accent']],
]
const SHAPES: [string, string[]][] = [
  ['pip', ['panel/felt-1', 'panel/felt-2', 'panel/felt-3']],
  ['brand', ['felt-1', 'felt-2', 'felt-3', 'room-1', 'room-2']],
  ['focus', FELT],
  ['focus-card', ['ivory']],
  ['gold-line', ['felt-1', 'felt-2', 'felt-3', 'panel-solid']],
  ['field-edge', ['panel-solid', 'room-1', 'room-2']],
  ['accent', ['panel-solid', 'field/panel-solid']],
  ['felt-suit', ['felt-1', 'felt-2', 'felt-3']],
]

const cases = Object.keys(THEMES).flatMap((theme) =>
  [...TEXT.map((row) => [row, 4.5] as const), ...SHAPES.map((row) => [row, 3] as const)].flatMap(([[front, backs], least]) =>
    backs.map((back) => [theme, front, back, least] as [keyof typeof THEMES, string, string, number]),
  ),
)

test.each(cases)('%s: %s on %s', (theme, front, back, least) => {
  const of = (name: string): Colour => colour(THEMES[theme][name]!)
  const [top, below] = back.split('/') as [string, string?]
  const ground = below ? over(of(top), of(below)) : of(top)
  expect(contrast(of(front), ground)).toBeGreaterThanOrEqual(least)
})

test.each(['ink', 'red', 'blue', 'green'])('the suit colour %s on a card', (suit) => {
  expect(contrast(colour(dark[suit]!), colour('#f1e8d6'))).toBeGreaterThanOrEqual(4.5)
})

test('white on what takes, resigns and counts', () => {
  for (const ground of [colour('#d8434a'), colour('#b92a38'), colour(dark['red-deep']!), colour(dark.badge!)]) {
    expect(contrast([255, 255, 255, 1], ground)).toBeGreaterThanOrEqual(ground[0] === 0xd8 ? 4 : 4.5)
  }
})
