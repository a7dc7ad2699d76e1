import { type IncomingMessage } from 'node:http'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { openVmConsole } from '../usecases/vm/open-vm-console.ts'
import { requestContextOf } from '../engine/http/http.ts'
import { type ServerContext } from './request-context.ts'
import {
  type ConsoleLimits,
  type ConsoleSocket,
  openConsoleSocket,
} from '../engine/sockets/console-socket.ts'
import { type Upgrades } from '../engine/sockets/upgrade.ts'

export interface VmConsoleSocketOptions {
  server: Pick<ServerContext, 'berth'>
  upgrades: Upgrades
  trustProxy: number
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<ConsoleLimits>
}

/**
 * Serves `/ws/console?ticket=…`. A browser cannot set headers on a socket, so it authenticates with
 * a ticket that works once.
 */
export function vmConsoleSocketOn({
  server: { berth },
  trustProxy,
  ...rest
}: VmConsoleSocketOptions): ConsoleSocket {
  return openConsoleSocket({
    ...rest,
    path: '/ws/console',
    trustProxy,
    admit: ({ request, url: { searchParams } }) =>
      openVmConsole(
        { berth, clock: rest.clock },
        { ...consoleRequestIn(searchParams), ...originOf(request, trustProxy) },
      ),
  })
}

const consoleRequestIn = (query: URLSearchParams) => ({
  ticket: query.get('ticket') ?? '',
  kind: query.get('kind'),
  name: query.get('name'),
})

function originOf(
  request: IncomingMessage,
  trustProxy: number,
): { requestId: string; address: string } {
  const { requestId, address } = requestContextOf(request, trustProxy)
  return { requestId, address }
}
