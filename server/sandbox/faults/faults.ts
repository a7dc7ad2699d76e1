import { timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { ApiError, refuse } from '../objects/status.ts'
import { clock } from '../clock.ts'
import { Client, type World } from '../controllers/client.ts'
import { vmiKind } from '../objects/vms/kinds.ts'
import { type GuestIncident, type VmReference } from '../guests/guest.ts'
import { type GatePattern, type Gates } from '../controllers/gates.ts'
import { killNode, reviveNode } from '../controllers/node-loss.ts'
import { type Step } from '../pace.ts'
import { type RequestPattern } from './pattern.ts'
import { RequestFaults, type RequestRule } from './request-faults.ts'
import { WatchFaults } from './watch-faults.ts'

/*
 * Fault injection: POST /_sandbox/<command> with a JSON body and the admin token. The response is
 * 200 with a JSON object. Faults are not stored, but a lost node changes objects in the API.
 *
 * - requests {method?, path?, times?, fault}: applies the fault to the next matching requests:
 *   a delay, an error, a cut connection or a stale list (see RequestFault)
 * - requests/clear {}: removes the pending request faults
 * - history/compact {}: watches and lists at earlier versions fail with 410
 * - watches/end {path?}: ends the open watches cleanly
 * - watches/reset {path?}: cuts the connections of the open watches
 * - watches/mute {path?}: keeps the watches open but sends no more bytes
 * - watches/drop {path?, times?}: drops the next events of each watch (default 1)
 * - watches/hold {path?}: buffers the events of the watches
 * - watches/release {path?}: sends the buffered events
 * - controllers/hold {controller?, key?}: the controllers do not reconcile the keys
 * - controllers/fail {controller?, key?, times?}: the next reconciles (default 1) fail and retry
 * - controllers/release {controller?, key?}: the controllers resume, beginning with missed keys
 * - nodes/kill {name}: the node is lost, and later its pods and VMIs
 * - nodes/revive {name}: the node is back, without guests
 * - guest {namespace, name, act}: poweroff, crash, reboot or agent-off in the guest
 * - clock/advance {ms}: advances time at once and runs all timers that fall due
 * - pace {factor, steps?}: multiplies all delays, or those of the steps, by the factor
 */
export interface FaultBodies {
  requests: RequestRule
  'requests/clear': object
  'history/compact': object
  'watches/end': RequestPattern
  'watches/reset': RequestPattern
  'watches/mute': RequestPattern
  'watches/drop': RequestPattern & { times?: number }
  'watches/hold': RequestPattern
  'watches/release': RequestPattern
  'controllers/hold': GatePattern
  'controllers/fail': GatePattern & { times?: number }
  'controllers/release': GatePattern
  'nodes/kill': { name: string }
  'nodes/revive': { name: string }
  guest: { namespace: string; name: string; act: GuestIncident }
  'clock/advance': { ms: number }
  pace: { factor: number; steps?: readonly Step[] }
}

type Commands = { [Name in keyof FaultBodies]: (body: FaultBodies[Name]) => unknown }

const prefix = '/_sandbox/'

/**
 * Runs before the API server. It handles fault commands and applies the faults to other requests.
 */
export class Faults {
  readonly #requests = new RequestFaults()
  readonly #watches = new WatchFaults()
  readonly #token: string
  readonly #commands: Commands

  constructor(world: World & { gates: Gates }, token: string) {
    this.#token = token
    this.#commands = commandsOn(world, this.#requests, this.#watches)
  }

  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => Promise<void>,
  ): Promise<void> {
    if (request.url?.startsWith(prefix)) return this.#handleCommand(request, response)
    this.#watches.follow(request, response)
    return this.#requests.serve(request, response, next)
  }

  async #handleCommand(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const respond = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      this.#mustBeAdmin(request)
      const body = await bodyOf(request)
      const execute = this.#commandAt(request)
      const result = execute(body)
      respond(200, typeof result === 'object' && result !== null ? result : {})
    } catch (error) {
      const refusal = error instanceof ApiError ? error : refuse.badRequest(String(error))
      respond(refusal.status, refusal.body())
    }
  }

  #mustBeAdmin({ headers }: IncomingMessage): void {
    const token = Buffer.from((headers.authorization ?? '').replace(/^Bearer /, ''))
    const expected = Buffer.from(this.#token)
    if (token.length !== expected.length || !timingSafeEqual(token, expected))
      throw refuse.unauthorized()
  }

  #commandAt({ method, url = '' }: IncomingMessage): (body: never) => unknown {
    const name = url.slice(prefix.length)
    if (method !== 'POST') throw refuse.methodNotAllowed()
    if (!Object.hasOwn(this.#commands, name))
      throw refuse.badRequest(`command ${name} does not exist`)
    // The cast holds because hasOwn was checked above.
    return this.#commands[name as keyof Commands]
  }
}

function commandsOn(
  world: World & { gates: Gates },
  requests: RequestFaults,
  watches: WatchFaults,
): Commands {
  const { store, pace, gates } = world
  const client = new Client(world, 'node-controller')
  const affected = (count: number): object => ({ watches: count })
  return {
    requests: (rule) => requests.add(rule),
    'requests/clear': () => requests.clear(),
    'history/compact': () => store.forget(),
    'watches/end': (pattern) => affected(watches.end(pattern)),
    'watches/reset': (pattern) => affected(watches.reset(pattern)),
    'watches/mute': (pattern) => affected(watches.mute(pattern)),
    'watches/drop': ({ times = 1, ...pattern }) => affected(watches.drop(pattern, times)),
    'watches/hold': (pattern) => affected(watches.hold(pattern)),
    'watches/release': (pattern) => affected(watches.release(pattern)),
    'controllers/hold': (pattern) => gates.hold(pattern),
    'controllers/fail': ({ times = 1, ...pattern }) => gates.fail(pattern, times),
    'controllers/release': (pattern) => gates.release(pattern),
    'nodes/kill': ({ name }) => killNode(client, name),
    'nodes/revive': ({ name }) => reviveNode(client, name),
    guest: ({ namespace, name, act }) => commandGuest(client, { namespace, name }, act),
    'clock/advance': ({ ms }) => clock.advance(ms),
    pace: ({ factor, steps }) => pace.setFactor(factor, steps),
  }
}

function commandGuest(client: Client, { namespace, name }: VmReference, act: GuestIncident): void {
  const vmi = client.get(vmiKind, namespace, name)
  if (!vmi) throw refuse.badRequest(`VMI ${namespace}/${name} does not exist`)
  client.world.guests?.inject(vmi.metadata.uid ?? '', act)
}

async function bodyOf(request: IncomingMessage): Promise<never> {
  const chunks: Buffer[] = []
  // The cast holds because a request without an encoding yields only buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  // The cast is safe because only tests send commands, and FaultBodies types them.
  return JSON.parse(text === '' ? '{}' : text) as never
}
