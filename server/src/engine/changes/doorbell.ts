import { Socket } from 'node:net'
import pg, { type ClientConfig } from 'pg'
import { changeChannel, workPayload } from '../model/channel.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'

export interface Doorbell {
  connected(): boolean
  stop(): Promise<void>
}

interface DoorbellParts {
  /** A direct connection to the primary: LISTEN does not work through a transaction pooler. */
  readonly connection: ClientConfig
  readonly clock: Clock
  readonly log: Log
  /** Called for each notification; `hasWork` is true when reconcilers may have work. */
  readonly onNotification: (hasWork: boolean) => void
  readonly pingMs?: number
  readonly timeoutMs?: number
}

interface Listener {
  readonly client: pg.Client
  readonly socket: Socket
  readonly broken: AbortSignal
}

class ListenEnded extends Error {
  constructor() {
    super('PostgreSQL ended the connection')
    this.name = 'ListenEnded'
  }
}

const retry = { firstMs: 50, capMs: 5_000 }

/**
 * Listens for `pg_notify` on its own connection. Notifications are lost while it is disconnected.
 * Each new connection therefore notifies once after LISTEN, and subscribers read the log from their
 * position. A ping detects a half-open connection, which is as silent as a quiet one.
 */
export function startDoorbell({
  pingMs = 10_000,
  timeoutMs = 5_000,
  ...parts
}: DoorbellParts): Doorbell {
  const { clock, log, onNotification } = parts
  const stopped = new AbortController()
  let connected = false

  const listen = async (): Promise<void> => {
    const listener = await openListener(parts, timeoutMs)
    try {
      connected = true
      onNotification(true)
      const over = AbortSignal.any([listener.broken, stopped.signal])
      while (!over.aborted) {
        await clock.sleep(pingMs, over)
        if (!over.aborted) await listener.client.query('select 1')
      }
      if (!stopped.signal.aborted) throw listener.broken.reason
    } finally {
      connected = false
      await closeListener(listener, stopped.signal.aborted)
    }
  }

  const keepListening = async (): Promise<void> => {
    for (let failures = 1; !stopped.signal.aborted; failures += 1) {
      const since = clock.elapsedMs()
      await listen().catch((error: unknown) =>
        log.warn('database.listen_connection_failed', {
          error,
          failures,
          effect: 'Berth connects again; until then it polls PostgreSQL, so changes arrive later',
          remedy: 'none, unless failures grows: check PostgreSQL and the network to it',
        }),
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

async function openListener(
  { connection, onNotification }: DoorbellParts,
  timeoutMs: number,
): Promise<Listener> {
  const socket = new Socket()
  const broken = new AbortController()
  const client = new pg.Client({
    ...connection,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', (error) => broken.abort(error))
  client.on('end', () => broken.abort(new ListenEnded()))
  client.on('notification', ({ payload }) => onNotification(payload === workPayload))
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
 * Closes the connection gracefully on stop. Otherwise it destroys the socket, because a half-open
 * peer never answers.
 */
async function closeListener(
  { client, socket, broken }: Listener,
  gracefully: boolean,
): Promise<void> {
  if (gracefully && !broken.aborted) await client.end().catch(() => undefined)
  socket.destroy()
}
