"""Finds words that a reader cannot read: off the screen, cut off by a box, or running out of one; on any page, in any language."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from playwright.sync_api import Page

LANGUAGES = ("az", "en", "it", "lt", "ru", "tr")
SMALL = ((390, 844), (320, 568))
"""The phones that most and the fewest words fit on."""

FIND = """(but) => {
    const SLACK = 1.5
    const found = []
    const style = (element) => getComputedStyle(element)
    const classes = (element) => [...element.classList].filter((name) => !name.startsWith('svelte-'))
    const named = (element) => [element.tagName.toLowerCase(), ...classes(element)].join('.')
    const tell = (text, what, element) => found.push(`"${text.trim().slice(0, 40)}" ${what} ${named(element)}`)
    const scrolls = (element, way) => ['auto', 'scroll'].includes(style(element)['overflow' + way]) && element !== document.documentElement
    const cuts = (element, way) => ['hidden', 'clip'].includes(style(element)['overflow' + way])
    // What only screen readers hear is cut off on purpose.
    const unseen = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const { clipPath, visibility, opacity, display } = style(at)
            if (clipPath === 'inset(50%)' || visibility === 'hidden' || opacity === '0' || display === 'none') return true
            if (but && at.matches(but)) return true
        }
        return false
    }
    const maySlide = (element) => {
        for (let at = element; at && at !== document.body; at = at.parentElement) if (scrolls(at, 'X')) return true
        return false
    }
    const lines = (node) => {
        const range = document.createRange()
        range.selectNodeContents(node)
        return [...range.getClientRects()].filter((line) => line.width > 0.5)
    }

    const wide = document.scrollingElement.scrollWidth
    if (wide > innerWidth + SLACK) found.push(`the page is ${wide} wide on a screen of ${innerWidth}`)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const node = walker.currentNode
        const parent = node.parentElement
        if (!node.data.trim() || parent.closest('script, style, svg, option, textarea') || unseen(parent)) continue
        for (const line of lines(node)) {
            let scrolled = false
            let pressed = null
            for (let at = parent; at && at !== document.body; at = at.parentElement) {
                const box = at.getBoundingClientRect()
                const aside = line.left < box.left - SLACK || line.right > box.right + SLACK
                const quarter = line.height / 4
                if (scrolls(at, 'X')) scrolled = true
                if (!scrolled && cuts(at, 'X') && aside) tell(node.data, 'is cut off by', at)
                if (cuts(at, 'Y') && !scrolls(at, 'X') && (line.bottom - quarter > box.bottom || line.top + quarter < box.top)) {
                    tell(node.data, 'is cut off below or above by', at)
                }
                if (!pressed && at.matches('button, a, label, summary, legend, th, td, li')) {
                    pressed = at
                    const out = aside || line.bottom > box.bottom + 4 || line.top < box.top - 4
                    if (out && style(at).display !== 'inline') tell(node.data, 'runs out of', at)
                }
                if (scrolled) break
            }
            if (!scrolled && (line.left < -SLACK || line.right > innerWidth + SLACK)) tell(node.data, 'leaves the screen in', parent)
        }
        const isBox = parent.clientWidth && style(parent).display !== 'inline' && !maySlide(parent)
        if (isBox && parent.scrollWidth > parent.clientWidth + SLACK) {
            tell(node.data, `needs ${parent.scrollWidth} and has ${parent.clientWidth} in`, parent)
        }
    }
    return [...new Set(found)]
}"""


def overflowing(page: Page, but: str = "") -> list[str]:
    """
    Tell every piece of text that leaves the screen or its box or is cut off, with the element; nothing where all can be read.

    What may be scrolled to sideways counts as readable. Elements of the selector *but* are left out: names that people choose
    themselves, for instance, may end in three dots.
    """
    found: list[str] = page.evaluate(FIND, but)
    return found


def everywhere(page: Page, screens: Sequence[tuple[int, int]] = SMALL, languages: Sequence[str] = LANGUAGES) -> Iterator[str]:
    """
    Show what *page* shows in one language after another, on one screen after another, and name each.

    The language is changed in place, as a reader does it: nothing that is open on the page closes.
    """
    for language in languages:
        page.locator("header .language select").select_option(language)
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function("width => innerWidth === width", arg=width)
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            yield f"{language}, {width} x {height}"


def unreadable(
    page: Page, but: str = "", screens: Sequence[tuple[int, int]] = SMALL, languages: Sequence[str] = LANGUAGES
) -> dict[str, list[str]]:
    """Tell what overflows of the page as it is now, by language and screen: `assert {} == unreadable(page)`."""
    return {where: found for where in everywhere(page, screens, languages) if (found := overflowing(page, but))}
