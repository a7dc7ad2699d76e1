import { timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { ApiError, refuse } from '../objects/status.ts'
import { clock } from '../clock.ts'
import { Desk, type World } from '../controllers/desk.ts'
import { vmiKind } from '../objects/vms/kinds.ts'
import { type GuestAct, type Place } from '../guests/guest.ts'
import { type GatePattern, type Gates } from '../controllers/gates.ts'
import { killNode, reviveNode } from '../controllers/node-loss.ts'
import { type Step } from '../pace.ts'
import { type RequestPattern } from './pattern.ts'
import { RequestFaults, type RequestRule } from './request-faults.ts'
import { WatchFaults } from './watch-faults.ts'

/*
 * Faults on command: POST /_sandbox/<command> with a JSON body and the admin token. The answer is
 * 200 with a JSON object. The sandbox stores nothing of it, except what a lost node changes in the
 * API.
 *
 * requests             {method?, path?, times?, fault}: the next matching requests meet the fault:
 *                      a delay, an error, a cut connection or a stale list (see RequestFault)
 * requests/clear       {}: drops the request faults that have not been met yet
 * history/compact      {}: watches and lists of earlier versions answer 410
 * watches/end          {path?}: ends the open watches cleanly
 * watches/reset        {path?}: cuts the connections of the open watches
 * watches/mute         {path?}: keeps the watches open and never sends another byte
 * watches/drop         {path?, times?}: loses the next events (one) of each watch
 * watches/hold         {path?}: holds the events of the watches back
 * watches/release      {path?}: sends the events that were held back
 * controllers/hold     {controller?, key?}: the controllers do not reconcile the keys
 * controllers/fail     {controller?, key?, times?}: the next reconciles (one) fail and are retried
 * controllers/release  {controller?, key?}: the controllers reconcile again, missed keys first
 * nodes/kill           {name}: the node is lost, and later its pods and VMIs
 * nodes/revive         {name}: the node is back, without guests
 * guest                {namespace, name, act}: poweroff, crash, reboot or agent-off in the guest
 * clock/advance        {ms}: time passes at once, with everything that falls due in it
 * pace                 {factor, steps?}: all delays, or those of these steps, times the factor
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
  guest: { namespace: string; name: string; act: GuestAct }
  'clock/advance': { ms: number }
  pace: { factor: number; steps?: readonly Step[] }
}

type Commands = { [Name in keyof FaultBodies]: (body: FaultBodies[Name]) => unknown }

const prefix = '/_sandbox/'

/**
 * Stands before the API server: takes commands, and does to the other requests what was commanded.
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
    if (request.url?.startsWith(prefix)) return this.#command(request, response)
    this.#watches.follow(request, response)
    return this.#requests.serve(request, response, next)
  }

  async #command(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      this.#mustBeAdmin(request)
      const body = await bodyOf(request)
      const run = this.#commandAt(request)
      const result = run(body)
      say(200, typeof result === 'object' && result !== null ? result : {})
    } catch (error) {
      const refusal = error instanceof ApiError ? error : refuse.badRequest(String(error))
      say(refusal.status, refusal.body())
    }
  }

  #mustBeAdmin({ headers }: IncomingMessage): void {
    const given = Buffer.from((headers.authorization ?? '').replace(/^Bearer /, ''))
    const expected = Buffer.from(this.#token)
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw refuse.unauthorized()
  }

  #commandAt({ method, url = '' }: IncomingMessage): (body: never) => unknown {
    const name = url.slice(prefix.length)
    if (method !== 'POST') throw refuse.methodNotAllowed()
    if (!Object.hasOwn(this.#commands, name)) throw refuse.badRequest(`there is no command ${name}`)
    // Its own key, as was just seen.
    return this.#commands[name as keyof Commands]
  }
}

function commandsOn(
  world: World & { gates: Gates },
  requests: RequestFaults,
  watches: WatchFaults,
): Commands {
  const { store, pace, gates } = world
  const desk = new Desk(world, 'node-controller')
  const touched = (count: number): object => ({ watches: count })
  return {
    requests: (rule) => requests.add(rule),
    'requests/clear': () => requests.clear(),
    'history/compact': () => store.forget(),
    'watches/end': (pattern) => touched(watches.end(pattern)),
    'watches/reset': (pattern) => touched(watches.reset(pattern)),
    'watches/mute': (pattern) => touched(watches.mute(pattern)),
    'watches/drop': ({ times = 1, ...pattern }) => touched(watches.drop(pattern, times)),
    'watches/hold': (pattern) => touched(watches.hold(pattern)),
    'watches/release': (pattern) => touched(watches.release(pattern)),
    'controllers/hold': (pattern) => gates.hold(pattern),
    'controllers/fail': ({ times = 1, ...pattern }) => gates.fail(pattern, times),
    'controllers/release': (pattern) => gates.release(pattern),
    'nodes/kill': ({ name }) => killNode(desk, name),
    'nodes/revive': ({ name }) => reviveNode(desk, name),
    guest: ({ namespace, name, act }) => actInGuest(desk, { namespace, name }, act),
    'clock/advance': ({ ms }) => clock.advance(ms),
    pace: ({ factor, steps }) => pace.setFactor(factor, steps),
  }
}

function actInGuest(desk: Desk, { namespace, name }: Place, act: GuestAct): void {
  const vmi = desk.get(vmiKind, namespace, name)
  if (!vmi) throw refuse.badRequest(`there is no machine ${namespace}/${name}`)
  desk.world.guests?.act(vmi.metadata.uid ?? '', act)
}

async function bodyOf(request: IncomingMessage): Promise<never> {
  const chunks: Buffer[] = []
  // Without an encoding a request yields buffers only.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  // Commands come from tests, which are typed by FaultBodies.
  return JSON.parse(text === '' ? '{}' : text) as never
}
