import { type ExecutionResult, type FormattedExecutionResult } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics.ts'
import { faultFrom, faultTable } from '../faults.ts'
import { Census } from './census.ts'
import { FanOut } from './fan-out.ts'
import { type OperationParts, operationHooks } from './graphql-operations.ts'
import { type Caller, type Identify, type Session } from './session.ts'
import { type Upgrade, type Upgrades, refuseUpgrade } from './upgrade.ts'
import { Wire, closing } from './wire.ts'

export interface GraphSocketParts extends OperationParts {
  upgrades: Upgrades
  path: string
  identify: Identify
  clock: Clock
  log: Log
  metrics: Metrics
}

export interface GraphSocket {
  sockets(): number
  /** How many shared executions run. */
  executions(): number
  /** Looks at every credential now, for whoever hears that some were revoked; it happens every few seconds anyway. */
  recheck(): Promise<void>
  stop(): Promise<void>
}

/** GraphQL over WebSocket, by the protocol that graphql-ws speaks, with bounds on everything that a client decides about. */
export function openGraphSocket(parts: GraphSocketParts): GraphSocket {
  const { upgrades, path, limits, clock, metrics } = parts
  const sessions = new Set<Session>()
  const fanOut = new FanOut({ schema: parts.schema, queueLimit: limits.queuedResults, format: (result) => formatted(parts, result) })
  const speak = speaking(parts, fanOut, sessions)
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression would let a small message become a large one here, and cost memory per socket.
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols,
  })
  const remove = upgrades.add((upgrade) => {
    if (upgrade.url.pathname !== path) return false
    const strangers = [...sessions].filter(({ caller }) => !caller).length
    if (strangers >= limits.strangers) refuseUpgrade(upgrade.stream, 503)
    else acceptor.handleUpgrade(upgrade.request, upgrade.stream, upgrade.head, (socket) => speak(socket, upgrade))
    return true
  })
  const pings = clock.every(limits.pingMs, () => sessions.forEach(({ wire }) => wire.ping()))
  const recheck = (): Promise<void> => recheckAll(sessions, parts.log)
  const rechecks = clock.every(limits.recheckMs, recheck)
  metrics.gauge('berth_graphql_sockets', 'Open GraphQL sockets.', () => sessions.size)
  metrics.gauge('berth_graphql_shared_executions', 'Subscriptions that are executed once for all who share them.', () => fanOut.executions)
  return {
    sockets: () => sessions.size,
    executions: () => fanOut.executions,
    recheck,
    async stop() {
      remove()
      const gone = Promise.all([...sessions].map(({ wire }) => new Promise<void>((resolve) => wire.onClosed(() => resolve()))))
      for (const { wire } of sessions) wire.close(closing.goingAway)
      await Promise.all([gone, pings.stop(), rechecks.stop()])
    },
  }
}

function formatted({ formatError }: OperationParts, { errors, ...rest }: ExecutionResult): FormattedExecutionResult {
  if (!errors) return rest
  const requestId = newId()
  return { ...rest, errors: errors.map((error) => formatError(error, requestId)) }
}

/** What happens on each accepted connection. */
function speaking(parts: GraphSocketParts, fanOut: FanOut, sessions: Set<Session>): (socket: WebSocket, upgrade: Upgrade) => void {
  const { limits, clock, metrics } = parts
  const census = new Census(limits)
  const closes = metrics.counter('berth_graphql_socket_closes_total', 'Closed GraphQL sockets by close code.', ['code'])
  const protocol = makeServer<Record<string, unknown>, Session>({
    connectionInitWaitTimeout: limits.connectionInitMs,
    onConnect: ({ extra, connectionParams }) => admit(extra, connectionParams ?? {}, { parts, census }),
    ...operationHooks(parts, fanOut),
  })
  return (socket, { stream, request }) => {
    const wire = new Wire({ socket, stream, limits, clock })
    const session: Session = { wire, request, caller: null }
    sessions.add(session)
    const close = (code?: number, reason?: string): void => wire.close([code ?? closing.internal[0], reason ?? ''])
    const closed = protocol.opened(
      { protocol: wire.protocol, send: (text) => wire.send(text), close, onMessage: (hear) => wire.onText(hear) },
      session,
    )
    wire.onClosed((code, reason) => {
      sessions.delete(session)
      if (session.caller) census.leave(session.caller)
      closes.add({ code })
      closed(code, reason).catch((error: unknown) => parts.log.error('a closed socket could not be cleared away', { error }))
    })
  }
}

interface Admitting {
  parts: GraphSocketParts
  census: Census
}

/** The first message says who speaks. All who are not welcome get the same answer, whatever is wrong. */
async function admit(
  session: Session,
  connectionParams: Readonly<Record<string, unknown>>,
  { parts, census }: Admitting,
): Promise<boolean> {
  const { wire, request } = session
  const caller = await parts.identify(connectionParams, request).catch((error: unknown) => unwelcome(error, parts.log))
  if ('close' in caller) wire.close(caller.close)
  else if (wire.open && !census.enter(caller)) wire.close(closing.tooMany)
  else if (wire.open) session.caller = caller
  return session.caller !== null
}

function unwelcome(error: unknown, log: Log): { close: (typeof closing)['unauthorized' | 'forbidden' | 'tryLater'] } {
  const fault = faultFrom(error)
  const { status } = faultTable[fault.code]
  if (status >= 500) log.error('a socket could not be identified', { error: fault.cause ?? fault })
  if (status >= 500 || status === 429) return { close: closing.tryLater }
  return { close: status === 401 || status === 400 ? closing.unauthorized : closing.forbidden }
}

/** A credential that has ended closes what was opened with it; so does one whose rights have changed, for they were shared. */
async function recheckAll(sessions: ReadonlySet<Session>, log: Log): Promise<void> {
  for (const { wire, caller } of [...sessions]) {
    const standing = caller && wire.open ? await standingOf(caller, log) : 'good'
    if (standing === 'ended') wire.close(closing.unauthorized)
    if (standing === 'changed') wire.close(closing.forbidden)
  }
}

async function standingOf(caller: Caller, log: Log): ReturnType<Caller['standing']> {
  try {
    return await caller.standing()
  } catch (error) {
    // Nothing is known against the caller; the next round asks again.
    log.warn('a credential could not be looked up again', { error })
    return 'good'
  }
}
