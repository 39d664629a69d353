// The colours of faces: light, deep, and of the lines.
export const TINTS = [
  ['#7cc6fe', '#2b6fb8', '#0f2c4d'],
  ['#f2a65a', '#d9543f', '#4a1c1c'],
  ['#ff9ec0', '#cf4680', '#4d0f2c'],
  ['#ffd46b', '#e09a2b', '#5a3500'],
  ['#c3a6ff', '#7a4fc9', '#2a1656'],
  ['#8fe0b0', '#2c9a6b', '#0d3a28'],
] as const
