import { type ExecutionResult, type FormattedExecutionResult } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { Census } from './connection-limiter.ts'
import { FanOut } from './fan-out.ts'
import { type OperationParts, operationHooks } from './graphql-operations.ts'
import { type Identify, type Session } from './session.ts'
import { unwelcome } from './credential-check.ts'
import { type Upgrade, type Upgrades, refuseUpgrade } from './upgrade.ts'
import { type Upkeep, upkeepOf } from './heartbeat.ts'
import { Wire, closing } from './wire.ts'

export interface GraphSocketParts extends OperationParts {
  upgrades: Upgrades
  path: string
  identify: Identify
  clock: Clock
  log: Log
  metrics: Metrics
}

export interface GraphSocket extends Upkeep {
  /** How many shared executions run. */
  executions(): number
}

/**
 * GraphQL over WebSocket, by the protocol that graphql-ws speaks, with bounds on everything that a
 * client decides about.
 */
export function openGraphSocket(parts: GraphSocketParts): GraphSocket {
  const { upgrades, path, limits, metrics } = parts
  const sessions = new Set<Session>()
  const fanOut = new FanOut({
    schema: parts.schema,
    queueLimit: limits.queuedResults,
    format: (result) => formatted(parts, result),
  })
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
    else
      acceptor.handleUpgrade(upgrade.request, upgrade.stream, upgrade.head, (socket) =>
        speak(socket, upgrade),
      )
    return true
  })
  metrics.gauge('berth_graphql_sockets', 'Open GraphQL sockets.', () => sessions.size)
  metrics.gauge(
    'berth_graphql_shared_executions',
    'Subscriptions that are executed once for all who share them.',
    () => fanOut.executions,
  )
  return { ...upkeepOf(sessions, parts, remove), executions: () => fanOut.executions }
}

function formatted(
  { formatError }: OperationParts,
  { errors, ...rest }: ExecutionResult,
): FormattedExecutionResult {
  if (!errors) return rest
  const requestId = newId()
  return { ...rest, errors: errors.map((error) => formatError(error, requestId)) }
}

/** What happens on each accepted connection. */
function speaking(
  parts: GraphSocketParts,
  fanOut: FanOut,
  sessions: Set<Session>,
): (socket: WebSocket, upgrade: Upgrade) => void {
  const { limits, clock, metrics } = parts
  const census = new Census(limits)
  const closes = metrics.counter(
    'berth_graphql_socket_closes_total',
    'Closed GraphQL sockets by close code.',
    ['code'],
  )
  const protocol = makeServer<Record<string, unknown>, Session>({
    connectionInitWaitTimeout: limits.connectionInitMs,
    onConnect: ({ extra, connectionParams }) =>
      admit(extra, connectionParams ?? {}, { parts, census }),
    ...operationHooks(parts, fanOut),
  })
  return (socket, { stream, request }) => {
    const wire = new Wire({ socket, stream, limits, clock })
    const session: Session = { wire, request, caller: null }
    sessions.add(session)
    const close = (code?: number, reason?: string): void =>
      wire.close([code ?? closing.internal[0], reason ?? ''])
    const closed = protocol.opened(
      {
        protocol: wire.protocol,
        send: (text) => wire.send(text),
        close,
        onMessage: (hear) => wire.onText(hear),
      },
      session,
    )
    wire.onClosed((code, reason) => {
      sessions.delete(session)
      if (session.caller) census.leave(session.caller)
      closes.add({ code })
      closed(code, reason).catch((error: unknown) =>
        parts.log.error('a closed socket could not be cleared away', { error }),
      )
    })
  }
}

interface Admitting {
  parts: GraphSocketParts
  census: Census
}

/**
 * The first message says who speaks. All who are not welcome get the same answer, whatever is
 * wrong.
 */
async function admit(
  session: Session,
  connectionParams: Readonly<Record<string, unknown>>,
  { parts, census }: Admitting,
): Promise<boolean> {
  const { wire, request } = session
  const caller = await parts
    .identify(connectionParams, request)
    .catch((error: unknown) => unwelcome(error, parts.log))
  if ('close' in caller) wire.close(caller.close)
  else if (wire.open && !census.enter(caller)) wire.close(closing.tooMany)
  else if (wire.open) session.caller = caller
  return session.caller !== null
}
