import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from '../../runtime/errno.ts'
import type { PostgresBinaries, Privileges } from './embedded-binaries.ts'
import { EmbeddedPostgresError, failureFromOutput } from './embedded-failure.ts'

export const superuser = 'berth'

// The kernel's limit for a socket path is 108 bytes with the closing zero; PostgreSQL puts a lock
// file of the same stem beside it.
const longestSocketPath = 103
const socketName = '.s.PGSQL.5432'

export interface ClusterPlan {
  dataDir: string
  binaries: PostgresBinaries
  privileges: Privileges
  onCreate: () => void
}

/**
 * Makes the cluster if it is not there. A kill at any moment leaves either nothing or a whole one,
 * synced to disk.
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
  await removeHalfMade(dataDir)
  const fresh = await mkdtemp(`${dataDir}.new-`)
  if (privileges.owner) await chown(fresh, privileges.owner.uid, privileges.owner.gid)
  await initdb(fresh, binaries, privileges)
  await rename(fresh, dataDir)
}

/**
 * The folder of the unix socket: the cluster's own, or a private one with a short and stable name
 * when the path is too long.
 */
export async function ensureSocketDir(dataDir: string, privileges: Privileges): Promise<string> {
  if (Buffer.byteLength(join(dataDir, socketName)) <= longestSocketPath) return dataDir
  const { uid, gid } = ownIds()
  const key = createHash('sha256').update(`${uid}:${dataDir}`).digest('hex').slice(0, 16)
  const socketDir = join(tmpdir(), `berth-pg-${key}`)
  await mkdir(socketDir, { mode: 0o700 }).catch(ignore('EEXIST'))
  const owner = privileges.owner ?? { uid, gid }
  if (privileges.owner) await chown(socketDir, owner.uid, owner.gid)
  // In a folder that everybody may write, the name could have been taken by somebody else.
  if (await isPrivate(socketDir, owner.uid)) return socketDir
  throw new EmbeddedPostgresError(
    'not_writable',
    `The folder ${socketDir} belongs to somebody else; remove it or use a shorter data.dir.`,
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
              'PostgreSQL could not make its data folder',
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
    `The folder ${dataDir} is not empty and holds no PostgreSQL cluster; choose another data.dir.`,
  )
}

async function removeHalfMade(dataDir: string): Promise<void> {
  const names = await readdir(dirname(dataDir))
  const stale = names.filter((name) => name.startsWith(`${basename(dataDir)}.new-`))
  // An initdb that outlived its parent may still be writing here. It then fails by itself, and the
  // next start sweeps the rest.
  await Promise.allSettled(
    stale.map((name) =>
      rm(join(dirname(dataDir), name), { recursive: true, force: true, maxRetries: 3 }),
    ),
  )
}

/**
 * Whether user namespaces are allowed may differ from start to start, and PostgreSQL starts only as
 * the owner of its files.
 */
async function adjustOwner(dataDir: string, privileges: Privileges): Promise<void> {
  if (process.getuid?.() !== 0) return
  const wanted = privileges.owner ?? { uid: 0, gid: 0 }
  if ((await stat(dataDir)).uid === wanted.uid) return
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    await chown(join(entry.parentPath, entry.name), wanted.uid, wanted.gid)
  await chown(dataDir, wanted.uid, wanted.gid)
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
