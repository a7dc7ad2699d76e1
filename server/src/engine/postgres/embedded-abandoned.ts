import { readFileSync } from 'node:fs'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { errnoOf } from '../../runtime/errno.ts'

/*
 * PostgreSQL refuses to start when the pid in `postmaster.pid` belongs to any living process of the
 * same account. After a kill -9 and a restart of the machine or container, that pid often belongs
 * to an unrelated process. No operator would be there to remove the file. Every process of a
 * cluster has the data folder as its working directory. Where /proc is readable, this proves that
 * the file is a leftover; in every other case PostgreSQL's own refusal stands.
 */

/** True only if it is certain that no process works in the folder. */
export async function isAbandoned(dataDir: string): Promise<boolean> {
  const folder = await realpath(dataDir)
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const uses = await Promise.all(pids.map((pid) => usesFolder(pid, folder)))
  return pids.length > 0 && uses.every((use) => use === 'no')
}

/**
 * True when the process is alive. A zombie counts as dead, because a container's first process may
 * never reap it.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another account is alive too. `kill` throws only errno errors.
    if (errnoOf(error) !== 'EPERM') return false
  }
  return !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain any character, so the state is read after the last
    // parenthesis.
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'Z'
  } catch {
    return false
  }
}

async function usesFolder(pid: string, folder: string): Promise<'yes' | 'no' | 'unknown'> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === folder ? 'yes' : 'no'
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' || code === 'ESRCH') return 'no'
    return (await isPostgres(pid)) ? 'unknown' : 'no'
  }
}

const isPostgres = async (pid: string): Promise<boolean> =>
  (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres'
