import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from '../../runtime/errno.ts'
import type { PostgresBinaries, Privileges } from './embedded-binaries.ts'
import { EmbeddedPostgresError, failureFromOutput } from './embedded-failure.ts'

export const superuser = 'berth'

// The kernel limits a socket path to 108 bytes including the zero byte. PostgreSQL puts a lock file
// with the same stem beside it.
const maxSocketPath = 103
const socketName = '.s.PGSQL.5432'

export interface ClusterPlan {
  dataDir: string
  binaries: PostgresBinaries
  privileges: Privileges
  onCreate: () => void
}

/**
 * Creates the cluster if it does not exist. A kill at any moment leaves either nothing or a
 * complete cluster, synced to disk.
 */
export async function ensureCluster({
  dataDir,
  binaries,
  privileges,
  onCreate,
}: ClusterPlan): Promise<void> {
  if (await exists(join(dataDir, 'PG_VERSION'))) return adjustOwner(dataDir, privileges)
  await refuseForeignFolder(dataDir)
  onCreate()
  await mkdir(dirname(dataDir), { recursive: true })
  await removeIncomplete(dataDir)
  const newDir = await mkdtemp(`${dataDir}.new-`)
  if (privileges.owner) await chown(newDir, privileges.owner.uid, privileges.owner.gid)
  await initdb(newDir, binaries, privileges)
  await rename(newDir, dataDir)
}

/**
 * Returns the folder of the unix socket: the data folder, or a private one with a short stable name
 * when the path is too long.
 */
export async function ensureSocketDir(dataDir: string, privileges: Privileges): Promise<string> {
  if (Buffer.byteLength(join(dataDir, socketName)) <= maxSocketPath) return dataDir
  const { uid, gid } = ownIds()
  const key = createHash('sha256').update(`${uid}:${dataDir}`).digest('hex').slice(0, 16)
  const socketDir = join(tmpdir(), `berth-pg-${key}`)
  await mkdir(socketDir, { mode: 0o700 }).catch(ignore('EEXIST'))
  const owner = privileges.owner ?? { uid, gid }
  if (privileges.owner) await chown(socketDir, owner.uid, owner.gid)
  // Another user could have taken the name in a world-writable folder.
  if (await isPrivate(socketDir, owner.uid)) return socketDir
  throw new EmbeddedPostgresError(
    'not_writable',
    `The folder ${socketDir} belongs to another user; remove it or use a shorter data.dir.`,
  )
}

const ownIds = () => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })

async function isPrivate(folder: string, uid: number): Promise<boolean> {
  const found = await lstat(folder)
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

function initdb(target: string, binaries: PostgresBinaries, privileges: Privileges): Promise<void> {
  const locale = [
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  const args = ['-D', target, '-U', superuser, '--auth=trust', ...locale]
  const wrapped = privileges.wrap(binaries.initdb, args)
  const options = { ...privileges.owner, timeout: 120_000 }
  return new Promise((resolve, reject) => {
    execFile(wrapped.command, [...wrapped.args], options, (error, stdout, stderr) => {
      if (!error) return resolve()
      rm(target, { recursive: true, force: true })
        .catch(() => undefined)
        .finally(() =>
          reject(
            failureFromOutput(
              'PostgreSQL could not create its data folder',
              `${stdout}\n${stderr}`.trim() || error.message,
            ),
          ),
        )
    })
  })
}

async function refuseForeignFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  if (names.length === 0) return
  throw new EmbeddedPostgresError(
    'not_a_cluster',
    `The folder ${dataDir} is not empty and contains no PostgreSQL cluster; choose another data.dir.`,
  )
}

async function removeIncomplete(dataDir: string): Promise<void> {
  const names = await readdir(dirname(dataDir))
  const stale = names.filter((name) => name.startsWith(`${basename(dataDir)}.new-`))
  // An initdb that outlived its parent may still write here. It then fails by itself, and the next
  // start removes the rest.
  await Promise.allSettled(
    stale.map((name) =>
      rm(join(dirname(dataDir), name), { recursive: true, force: true, maxRetries: 3 }),
    ),
  )
}

/**
 * Adjusts the owner of the files, because PostgreSQL starts only as their owner. Starts with and
 * without user namespaces may alternate.
 */
async function adjustOwner(dataDir: string, privileges: Privileges): Promise<void> {
  if (process.getuid?.() !== 0) return
  const desired = privileges.owner ?? { uid: 0, gid: 0 }
  if ((await stat(dataDir)).uid === desired.uid) return
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    await chown(join(entry.parentPath, entry.name), desired.uid, desired.gid)
  await chown(dataDir, desired.uid, desired.gid)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false
      throw error
    },
  )

const ignore = (code: string) => (error: unknown) => {
  if (errnoOf(error) !== code) throw error
}
