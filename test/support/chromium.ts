import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = [
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const aptMs = 300_000

/** The browser of this machine: `CHROME_PATH`, then PATH, then where systems put it; null when there is none. */
export function findChromium(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env['CHROME_PATH'] ?? '', ...onPath, ...places].find(isProgram) ?? null
}

/** The browser, installed from Debian's packages when it is missing and we may; otherwise an error of one sentence. */
export async function ensureChromium(): Promise<string> {
  const present = findChromium()
  if (present) return present
  if (!mayInstall()) throw new NoBrowser('there is no Chromium or Chrome on this machine: install one, or name it in CHROME_PATH')
  await install()
  const installed = findChromium()
  if (!installed) throw new NoBrowser('apt-get installed chromium, but no browser is on PATH: name it in CHROME_PATH')
  return installed
}

class NoBrowser extends Error {
  override name = 'NoBrowser'
}

async function install(): Promise<void> {
  const options = { timeout: aptMs, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    await run('apt-get', ['update'], options)
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation'], options)
  } catch (cause) {
    throw new NoBrowser('apt-get could not install chromium: install a browser by hand, or name it in CHROME_PATH', { cause })
  }
}

/** Only Debian's package is a real browser; Ubuntu's is a stub that wants snap. */
function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
