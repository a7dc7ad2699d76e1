import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const aptMs = 300_000

/** Where the programs of these names would be on PATH, whether or not they are. */
export const onPath = (names: readonly string[]): string[] =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

/**
 * Only where we are root on Debian: elsewhere the packages of these names may be something else, as
 * Ubuntu's chromium is a stub.
 */
export function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Installs packages; another installation that is under way is waited for. */
export async function install(...packages: readonly string[]): Promise<void> {
  const options = {
    timeout: aptMs,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  const patiently = ['-o', 'DPkg::Lock::Timeout=240']
  await run('apt-get', [...patiently, 'update'], options)
  await run(
    'apt-get',
    [...patiently, 'install', '--yes', '--no-install-recommends', ...packages],
    options,
  )
}
