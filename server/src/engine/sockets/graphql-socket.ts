import { type ExecutionResult, type FormattedExecutionResult } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { ConnectionLimiter } from './connection-limiter.ts'
import { FanOut } from './fan-out.ts'
import { type OperationParts, operationHooks } from './graphql-operations.ts'
import { type Identify, type Session } from './session.ts'
import { admissionRefusal } from './credential-check.ts'
import { type Upgrade, type Upgrades } from './upgrade.ts'
import { type SocketHeartbeat, startHeartbeat } from './heartbeat.ts'
import { StrangerLimiter } from './stranger-limiter.ts'
import { Wire, socketCloseReasons } from './wire.ts'

export interface GraphSocketParts extends OperationParts {
  upgrades: Upgrades
  path: string
  /** The number of proxies in front of the server. */
  trustProxy: number
  identify: Identify
  clock: Clock
  log: Log
  metrics: Metrics
}

export interface GraphSocket extends SocketHeartbeat {
  /** The number of running shared executions. */
  executions(): number
}

/**
 * Serves GraphQL over WebSocket by the graphql-ws protocol, with limits on everything that a client
 * controls.
 */
export function openGraphSocket(parts: GraphSocketParts): GraphSocket {
  const { upgrades, path, limits, metrics } = parts
  const sessions = new Set<Session>()
  const fanOut = new FanOut({
    schema: parts.schema,
    queueLimit: limits.queuedResults,
    format: (result) => formatted(parts, result),
  })
  const accept = connectionHandler(parts, fanOut, sessions)
  const strangers = new StrangerLimiter(limits, parts)
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // With compression a small message could expand to a large one, and each socket would need more
    // memory.
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols,
  })
  const remove = upgrades.add((upgrade) => {
    if (upgrade.url.pathname !== path) return false
    const { request, stream, head } = upgrade
    const becomesKnown = strangers.admit(upgrade)
    if (!becomesKnown) return true
    acceptor.handleUpgrade(request, stream, head, (socket) => accept(socket, upgrade, becomesKnown))
    return true
  })
  metrics.gauge('berth_graphql_sockets', 'Open GraphQL sockets.', () => sessions.size)
  metrics.gauge(
    'berth_graphql_shared_executions',
    'Running subscription executions that several subscribers share.',
    () => fanOut.executions,
  )
  return { ...startHeartbeat(sessions, parts, remove), executions: () => fanOut.executions }
}

function formatted(
  { formatError }: OperationParts,
  { errors, ...rest }: ExecutionResult,
): FormattedExecutionResult {
  if (!errors) return rest
  const requestId = newId()
  return { ...rest, errors: errors.map((error) => formatError(error, requestId)) }
}

/** Returns the handler of accepted connections. */
function connectionHandler(
  parts: GraphSocketParts,
  fanOut: FanOut,
  sessions: Set<Session>,
): (socket: WebSocket, upgrade: Upgrade, becomesKnown: () => void) => void {
  const { limits, clock, metrics } = parts
  const limiter = new ConnectionLimiter(limits)
  const closes = metrics.counter(
    'berth_graphql_socket_closes_total',
    'Closed GraphQL sockets by close code.',
    ['code'],
  )
  const protocol = makeServer<Record<string, unknown>, Session>({
    connectionInitWaitTimeout: limits.connectionInitMs,
    onConnect: ({ extra, connectionParams }) =>
      admit(extra, connectionParams ?? {}, { parts, limiter }),
    ...operationHooks(parts, fanOut),
  })
  return (socket, { stream, request }, becomesKnown) => {
    const wire = new Wire({ socket, stream, limits, clock })
    const session: Session = { wire, request, becomesKnown, caller: null }
    sessions.add(session)
    const close = (code?: number, reason?: string): void =>
      wire.close([code ?? socketCloseReasons.internal[0], reason ?? ''])
    const closed = protocol.opened(
      {
        protocol: wire.protocol,
        send: (text) => wire.send(text),
        close,
        onMessage: (handle) => wire.onText(handle),
      },
      session,
    )
    wire.onClosed((code, reason) => {
      sessions.delete(session)
      if (session.caller) limiter.release(session.caller)
      closes.add({ code })
      closed(code, reason).catch((error: unknown) =>
        parts.log.error('graphql.socket_cleanup_failed', {
          error,
          effect: 'the socket is closed; its subscriptions may use memory until the next start',
          remedy: 'report the error to the developers of Berth',
        }),
      )
    })
  }
}

interface AdmissionParts {
  parts: GraphSocketParts
  limiter: ConnectionLimiter
}

/**
 * Authenticates the first message. The close reason of a refused caller reveals only the status
 * class, not the cause.
 */
async function admit(
  session: Session,
  connectionParams: Readonly<Record<string, unknown>>,
  { parts, limiter }: AdmissionParts,
): Promise<boolean> {
  const { wire, request } = session
  const caller = await parts
    .identify(connectionParams, request)
    .catch((error: unknown) => admissionRefusal(error, parts.log))
  if ('close' in caller) wire.close(caller.close)
  else if (wire.open && !limiter.acquire(caller)) wire.close(socketCloseReasons.tooMany)
  else if (wire.open) {
    session.caller = caller
    session.becomesKnown()
  }
  return session.caller !== null
}
