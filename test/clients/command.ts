import { spawnSync } from 'node:child_process'

/** A program and its arguments. */
export type Command = readonly [string, ...string[]]

/** Runs a command and returns what it printed. A command that fails throws with its output. */
export function run(
  [program, ...args]: Command,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...settings },
    encoding: 'utf8',
    timeout: 600_000,
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}\n${error?.message ?? `${stdout}${stderr}`}`)
}

/** True when the command can be run on this machine. */
export const isInstalled = ([program, ...args]: Command): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** Installs packages of npm into a folder. */
export const installPackages = (packages: readonly string[], folder: string): string =>
  run(['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...packages], folder)
