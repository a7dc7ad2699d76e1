import { Socket } from 'node:net'
import pg, { type ClientConfig } from 'pg'
import { changeChannel, workRung } from '../model/channel.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'

export interface Doorbell {
  connected(): boolean
  stop(): Promise<void>
}

interface DoorbellParts {
  /** Straight to the primary: LISTEN does not pass through a transaction pooler. */
  readonly connection: ClientConfig
  readonly clock: Clock
  readonly log: Log
  /** Says whether there may be work to do as well. */
  readonly onRing: (hasWork: boolean) => void
  readonly pingMs?: number
  readonly timeoutMs?: number
}

interface Line {
  readonly client: pg.Client
  readonly socket: Socket
  readonly broken: AbortSignal
}

const retry = { firstMs: 50, capMs: 5_000 }

/**
 * Hears `pg_notify` on a connection of its own and says so. Rings are lost while nobody listens, so
 * each new connection rings once after LISTEN: whoever hears it reads the log from where it stood.
 * A half-open connection is silent like a quiet one, therefore the ping.
 */
export function startDoorbell({
  pingMs = 10_000,
  timeoutMs = 5_000,
  ...parts
}: DoorbellParts): Doorbell {
  const { clock, log, onRing } = parts
  const stopped = new AbortController()
  let connected = false

  const listen = async (): Promise<void> => {
    const line = await openLine(parts, timeoutMs)
    try {
      connected = true
      onRing(true)
      const over = AbortSignal.any([line.broken, stopped.signal])
      while (!over.aborted) {
        await clock.sleep(pingMs, over)
        if (!over.aborted) await line.client.query('select 1')
      }
    } finally {
      connected = false
      await hangUp(line, stopped.signal.aborted)
    }
  }

  const keepListening = async (): Promise<void> => {
    for (let failures = 1; !stopped.signal.aborted; failures += 1) {
      const since = clock.elapsedMs()
      await listen().catch((error: unknown) =>
        log.warn('the doorbell connection failed; events come by poll meanwhile', { error }),
      )
      if (clock.elapsedMs() - since > retry.capMs) failures = 1
      await clock.sleep(backoffMs(failures, retry), stopped.signal)
    }
  }

  const running = keepListening()
  return {
    connected: () => connected,
    async stop() {
      stopped.abort()
      await running
    },
  }
}

async function openLine({ connection, onRing }: DoorbellParts, timeoutMs: number): Promise<Line> {
  const socket = new Socket()
  const broken = new AbortController()
  const client = new pg.Client({
    ...connection,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => broken.abort())
  client.on('end', () => broken.abort())
  client.on('notification', ({ payload }) => onRing(payload === workRung))
  try {
    await client.connect()
    await client.query(`listen ${changeChannel}`)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return { client, socket, broken: broken.signal }
}

/**
 * Politely when we stop; else by cutting the socket, for a half-open peer never answers a goodbye.
 */
async function hangUp({ client, socket, broken }: Line, politely: boolean): Promise<void> {
  if (politely && !broken.aborted) await client.end().catch(() => undefined)
  socket.destroy()
}
