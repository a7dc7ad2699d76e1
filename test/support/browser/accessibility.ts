import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Each line is what the page does wrong and where, so that the failure can be read without the
// page.
const ask = `(globalThis.axe ? Promise.resolve() : Promise.resolve().then(() => { ${'INSTALL'} })).then(() => axe.run()).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) => id + ': ' + html.slice(0, 160) + ' ' + ((any[0] ?? all[0])?.message ?? ''))))`
const question = ask.replace('INSTALL', () => axe)

/**
 * What axe finds on the page as it stands. Asked over the debugger, because the page's policy lets
 * no foreign script in.
 */
export async function violations(page: Page): Promise<string[]> {
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

interface Bearing {
  /** Of the first level. */
  headings: number
  title: string
  /**
   * How far the page reaches beyond the right edge, and how far the widest table beyond its own.
   */
  overhang: number
  hidden: number
}

export async function bearing(page: Page): Promise<Bearing> {
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
