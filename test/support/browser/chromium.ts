import { install, isProgram, mayInstall, onPath } from './debian.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const paths = [
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Arguments that allow running as root and disable background network requests. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Finds a browser in `CHROME_PATH`, on PATH, or at its usual paths. Null when there is none. */
export const findChromium = (): string | null =>
  [process.env['CHROME_PATH'] ?? '', ...onPath(names), ...paths].find(isProgram) ?? null

/** Finds a browser, or installs one from Debian's packages when that is allowed. */
export async function ensureChromium(): Promise<string> {
  const present = findChromium()
  if (present) return present
  if (!mayInstall())
    throw new NoBrowser('no Chromium or Chrome is installed: install one, or set CHROME_PATH')
  await installChromium()
  const installed = findChromium()
  if (!installed)
    throw new NoBrowser('apt-get installed chromium, but no browser is on PATH: set CHROME_PATH')
  return installed
}

/**
 * Finds the browser of the tests. The headless shell draws pages like the whole browser, without
 * the windows around them, and needs less processor time. Where it is missing, the whole browser
 * serves as well.
 */
export const findTestBrowser = (): string | null =>
  [process.env['CHROME_PATH'] ?? '', ...onPath(['chromium-headless-shell'])].find(isProgram) ??
  findChromium()

/** Installs the headless shell where that is allowed, or makes sure that there is a browser. */
export async function ensureTestBrowser(): Promise<string> {
  const isShellMissing = !onPath(['chromium-headless-shell']).some(isProgram)
  // An older Debian has no such package.
  if (isShellMissing && !process.env['CHROME_PATH'] && mayInstall())
    await install('chromium-headless-shell', 'fonts-liberation').catch(() => null)
  return findTestBrowser() ?? ensureChromium()
}

class NoBrowser extends Error {
  override name = 'NoBrowser'
}

async function installChromium(): Promise<void> {
  try {
    await install('chromium', 'fonts-liberation')
  } catch (cause) {
    throw new NoBrowser(
      'apt-get could not install chromium: install a browser by hand, or set CHROME_PATH',
      { cause },
    )
  }
}
