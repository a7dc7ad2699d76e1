import { spawnSync } from 'node:child_process'

/** A program and its arguments. */
export type Command = readonly [string, ...string[]]

/** Runs a command and fails with its output. */
export function run([program, ...args]: Command, folder: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 600_000,
  })
  if (status === 0) return
  throw new Error(`${program} ${args.join(' ')}\n${error?.message ?? `${stdout}${stderr}`}`)
}

/** True when the command can be run on this machine. */
export const isInstalled = ([program, ...args]: Command): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0
