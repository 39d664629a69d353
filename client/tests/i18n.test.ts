import { beforeEach, expect, test, vi } from 'vitest'

type I18n = typeof import('../src/i18n.svelte')

let i18n: I18n

beforeEach(async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: {} })
  i18n = await import('../src/i18n.svelte')
}, 30_000)

test('a page that is opened by its address has all its words in the language of the reader', async () => {
  await Promise.all([i18n.sayMore(), i18n.speak('ru')])
  expect([i18n.t('home.create'), i18n.t('gather.free')]).toEqual(['Создать стол', 'Свободное место'])
})

test('the words that come later come in the language that was asked for last', async () => {
  await Promise.all([i18n.speak('ru'), i18n.sayMore(), i18n.speak('lt')])
  expect([i18n.language(), i18n.t('gather.free')]).toEqual(['lt', 'Laisva vieta'])
})

test('a language that is changed keeps the words that came later', async () => {
  await i18n.sayMore()
  await i18n.speak('it')
  expect(i18n.t('gather.free')).toBe('Posto libero')
})
