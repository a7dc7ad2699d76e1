import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Each line names the violated rule, the element and the message, so that the failure is readable
// without the page.
const ask = `(globalThis.axe ? Promise.resolve() : Promise.resolve().then(() => { ${'INSTALL'} })).then(() => axe.run()).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) => id + ': ' + html.slice(0, 160) + ' ' + ((any[0] ?? all[0])?.message ?? ''))))`
const question = ask.replace('INSTALL', () => axe)

/**
 * Waits for the end of the transitions. Colours between two themes have no contrast of their own.
 * Endless animations, such as those of spinners, do not count.
 */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  )

/**
 * Runs axe on the current page once it has settled. It runs over the debugger, because the content
 * security policy of the page blocks foreign scripts.
 */
export async function violations(page: Page): Promise<string[]> {
  await settled(page)
  const session = await page.context().newCDPSession(page)
  try {
    const { result } = await session.send('Runtime.evaluate', {
      expression: question,
      awaitPromise: true,
      returnByValue: true,
    })
    if (!Array.isArray(result.value))
      throw new Error(`axe did not run: ${result.description ?? ''}`)
    return result.value as string[] // built by the expression above
  } finally {
    await session.detach()
  }
}

interface Layout {
  /** The number of headings of the first level. */
  headings: number
  title: string
  /** The overflow in pixels: of the page here, and of the widest table in `hidden`. */
  overhang: number
  hidden: number
}

/** Measures whether the page has one main heading and fits the screen. */
export async function layoutOf(page: Page): Promise<Layout> {
  return {
    headings: await page.locator('h1').count(),
    title: await page.title(),
    overhang: await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
    hidden: await page.evaluate(() => {
      const tables = [...document.querySelectorAll('[role=region]:has(table)')]
      return Math.max(0, ...tables.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    }),
  }
}
