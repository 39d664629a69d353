// Every sound is made here, from noise and sines: no files, no licences. Fetched when the first one is to be heard.

let context: AudioContext | null = null
let out: AudioNode
let noise: AudioBuffer

function open(): AudioContext {
  const made = new AudioContext()
  const gain = made.createGain()
  gain.gain.value = 0.6
  gain.connect(made.createDynamicsCompressor()).connect(made.destination)
  out = gain
  noise = made.createBuffer(1, made.sampleRate * 0.5, made.sampleRate)
  const samples = noise.getChannelData(0)
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1
  return made
}

/** A swell and a fall of *volume* over *length* seconds. */
function envelope(at: number, rise: number, length: number, volume: number): GainNode {
  const gain = context!.createGain()
  gain.gain.setValueAtTime(0.0001, at)
  gain.gain.exponentialRampToValueAtTime(volume, at + rise)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length)
  gain.connect(out)
  return gain
}

function swish(at: number, length: number, from: number, to: number, volume: number, q = 0.9): void {
  const source = context!.createBufferSource()
  source.buffer = noise
  source.loop = true
  source.playbackRate.value = 0.9 + Math.random() * 0.2
  const filter = context!.createBiquadFilter()
  filter.type = 'bandpass'
  filter.Q.value = q
  filter.frequency.setValueAtTime(from, at)
  filter.frequency.exponentialRampToValueAtTime(to, at + length)
  source.connect(filter).connect(envelope(at, length * 0.25, length, volume))
  source.start(at, Math.random() * 0.3)
  source.stop(at + length + 0.02)
}

function tone(at: number, frequency: number, length: number, gain: GainNode, falls = false): void {
  const oscillator = context!.createOscillator()
  oscillator.frequency.setValueAtTime(frequency, at)
  if (falls) oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.45, at + length)
  oscillator.connect(gain)
  oscillator.start(at)
  oscillator.stop(at + length)
}

function thump(at: number, frequency: number, length: number, volume: number): void {
  tone(at, frequency, length, envelope(at, 0.002, length, volume), true)
}

function bell(at: number, frequency: number, length: number, volume: number): void {
  for (const [multiple, share] of [[1, 1], [2.01, 0.35], [3.02, 0.12]] as const) {
    tone(at, frequency * multiple, length, envelope(at, 0.008, length / multiple, volume * share))
  }
}

const KIT = {
  slide: (at: number) => swish(at, 0.13, 2600, 5200, 0.35),
  place: (at: number) => {
    swish(at, 0.07, 3400, 900, 0.5, 0.6)
    thump(at + 0.015, 150, 0.09, 0.5)
  },
  deal: (at: number) => {
    for (let i = 0; i < 6; i++) swish(at + i * 0.07, 0.09, 2200 + i * 120, 4600, 0.28)
  },
  sweep: (at: number) => swish(at, 0.34, 900, 4200, 0.4, 0.5),
  take: (at: number) => {
    swish(at, 0.3, 3800, 700, 0.42, 0.5)
    thump(at + 0.2, 110, 0.12, 0.4)
  },
  turn: (at: number) => {
    bell(at, 880, 0.5, 0.12)
    bell(at + 0.09, 1318.5, 0.6, 0.1)
  },
  tick: (at: number) => thump(at, 1150, 0.035, 0.16),
  error: (at: number) => {
    thump(at, 170, 0.12, 0.4)
    thump(at + 0.11, 130, 0.14, 0.4)
  },
  win: (at: number) => [523.25, 659.25, 783.99, 1046.5].forEach((frequency, i) => bell(at + i * 0.11, frequency, 1.1, 0.16)),
  lose: (at: number) => [392, 349.23, 311.13].forEach((frequency, i) => bell(at + i * 0.17, frequency, 0.9, 0.14)),
}

export type Sound = keyof typeof KIT

/** Make *name* heard in so many milliseconds. */
export function make(name: Sound, delay: number): void {
  context ??= open()
  if (context.state === 'suspended') void context.resume()
  KIT[name](context.currentTime + Math.max(0, delay) / 1000)
}
