import { ensureChromium } from '../support/browser/chromium.ts'

try {
  process.stdout.write(`browser: ${await ensureChromium()}\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
