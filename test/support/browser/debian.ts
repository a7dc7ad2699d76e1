import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/*
 * Finds the programs that tests need, such as a browser and kubectl, and installs missing ones on
 * Debian.
 */

const run = promisify(execFile)
const aptMs = 300_000

/** The candidate paths of these programs on PATH. The files need not exist. */
export const onPath = (names: readonly string[]): string[] =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))

/** True when the path is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

/**
 * True only for root on Debian. On other systems a package of the same name may be different:
 * Ubuntu's chromium is a stub.
 */
export function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Installs packages. Waits up to 240 seconds for another installation to release its lock. */
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
