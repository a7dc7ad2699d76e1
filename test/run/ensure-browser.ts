import { ensureTestBrowser } from '../support/browser/chromium.ts'

// The step `browser` of `npm test` makes sure that the tests of the console have a browser.
try {
  process.stdout.write(`browser: ${await ensureTestBrowser()}\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
