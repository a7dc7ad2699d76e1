import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`another sandbox is running on ${folder}; stop it first`)
    this.name = 'FolderInUse'
  }
}

/*
 * Two processes that write one journal would corrupt it. A listening socket is the lock: it cannot
 * belong to an unrelated process, as a reused pid can, and a killed process stops answering on it.
 * The socket lies in the temporary folder because the path of a socket has a short maximum length.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = join(
    tmpdir(),
    `berth-sandbox-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`,
  )
  const held = (await tryListen(path)) ?? (await takeOver(path))
  if (!held) throw new FolderInUse(folder)
  held.unref()
  return () => held.close()
}

async function takeOver(path: string): Promise<Server | null> {
  if (await answers(path)) return null
  rmSync(path, { force: true })
  return tryListen(path)
}

function tryListen(path: string): Promise<Server | null> {
  return new Promise((done, failed) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : failed(error),
    )
    server.listen(path, () => done(server))
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('close', () => done(false))
    socket.unref()
  })
}
