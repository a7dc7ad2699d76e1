import { install, isProgram, mayInstall, onPath } from './debian.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = [
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Nothing that is asked of the network by itself, and as root. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The browser of this machine: `CHROME_PATH`, then PATH, then where systems put it; null when there
 * is none.
 */
export const findChromium = (): string | null =>
  [process.env['CHROME_PATH'] ?? '', ...onPath(names), ...places].find(isProgram) ?? null

/**
 * The browser, installed from Debian's packages when it is missing and we may; otherwise an error
 * of one sentence.
 */
export async function ensureChromium(): Promise<string> {
  const present = findChromium()
  if (present) return present
  if (!mayInstall())
    throw new NoBrowser(
      'there is no Chromium or Chrome on this machine: install one, or name it in CHROME_PATH',
    )
  await installChromium()
  const installed = findChromium()
  if (!installed)
    throw new NoBrowser(
      'apt-get installed chromium, but no browser is on PATH: name it in CHROME_PATH',
    )
  return installed
}

class NoBrowser extends Error {
  override name = 'NoBrowser'
}

async function installChromium(): Promise<void> {
  try {
    await install('chromium', 'fonts-liberation')
  } catch (cause) {
    throw new NoBrowser(
      'apt-get could not install chromium: install a browser by hand, or name it in CHROME_PATH',
      { cause },
    )
  }
}
