import { type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { ClusterError } from '../../../server/src/engine/kube/cluster-error.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { operations, rowId, uid } from '../../support/cluster/gateway-operations.ts'
import { type SecureServer, secureServer } from '../../support/cluster/scripted-server.ts'

/*
 * What the cluster answers and what the gateway makes of it: rows F-01 to F-17 of the reliability
 * reference, section 3.3, for every operation that there is, over a real connection.
 */
type Does = (typeof operations)[string]['does']
type Respond = (response: ServerResponse, request: IncomingMessage) => void

interface Row {
  id: string
  because: string
  respond: Respond
  /**
   * A trouble, or what the operation answers when there is none. `of` is for all that are not
   * named.
   */
  outcome: Partial<Record<Does, string>> & { else: string }
  /** Where patience is what the row is about. */
  timeoutMs?: number
}

const object = (labels: Record<string, string>, more: object = {}) => ({
  metadata: { name: 'a', namespace: 'ns', uid, resourceVersion: '7', labels },
  ...more,
})
const ours = object({
  'berth.dev/managed-by': 'berth',
  'berth.dev/row-id': rowId,
  'berth.dev/tenant-id': rowId,
})
const theirs = object({})

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const failure = (code: number, reason: string, message = 'no'): Respond =>
  json(code, { kind: 'Status', status: 'Failure', code, reason, message })
const caused = (code: number, reason: string, cause: string): Respond =>
  json(code, {
    code,
    reason,
    message: 'no',
    details: { causes: [{ reason: cause, message: 'not so', field: 'spec.a' }] },
  })
const text =
  (status: number, said: string): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/plain' })
    response.end(said)
  }
const cut: Respond = (response) => response.destroy()
const cutInTheMiddle: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write('{"metadata": {"na', () => response.destroy())
}
/** One answer to the write, another to the look at what is there. */
const firstThen =
  (write: Respond, read: Respond): Respond =>
  (response, request) =>
    (request.method === 'GET' ? read : write)(response, request)

/** What a look gives that is answered with an object; it is no WebSocket, and no VM that runs. */
const seen = {
  read: 'an object',
  list: 'a page',
  detect: 'an object',
  stream: 'unreachable',
  log: 'gone',
} as const

const mayBeDone = {
  read: 'unreachable',
  list: 'unreachable',
  detect: 'unreachable',
  stream: 'unreachable',
  log: 'unreachable',
  else: 'maybe_applied',
} as const

const rows: Row[] = [
  {
    id: 'F-01',
    because: "the name is a stranger's",
    respond: firstThen(failure(409, 'AlreadyExists'), json(200, theirs)),
    outcome: { ...seen, order: 'name_taken', else: 'name_taken' },
  },
  {
    id: 'F-01',
    because: "a stranger's object is there already when ours is to be made",
    respond: firstThen(failure(409, 'Conflict', 'the object has been modified'), json(200, theirs)),
    outcome: { ...seen, create: 'name_taken', order: 'version_conflict', else: 'version_conflict' },
  },
  {
    id: 'F-02',
    because: 'somebody wrote in between',
    respond: firstThen(failure(409, 'Conflict', 'the object has been modified'), json(200, ours)),
    outcome: { ...seen, order: 'version_conflict', else: 'version_conflict' },
  },
  {
    id: 'F-03',
    because: 'another manager owns a field',
    respond: caused(409, 'Conflict', 'FieldManagerConflict'),
    outcome: { else: 'field_conflict' },
  },
  {
    id: 'F-04',
    because: 'it was deleted meanwhile',
    respond: failure(
      409,
      'Conflict',
      'uid mismatch: the provided object specified uid x, and no existing object was found',
    ),
    outcome: { remove: 'gone', else: 'uid_mismatch' },
  },
  {
    id: 'F-04',
    because: 'another object bears the name',
    respond: failure(
      409,
      'Conflict',
      'the UID in the precondition (a) does not match the UID in record (b)',
    ),
    outcome: { remove: 'gone', else: 'uid_mismatch' },
  },
  {
    id: 'F-05',
    because: 'it is not there',
    respond: json(404, { reason: 'NotFound', message: 'not found', details: { kind: 'things' } }),
    outcome: { read: 'nothing', detect: 'an object', else: 'gone' },
  },
  {
    id: 'F-05',
    because: 'the cluster does not know the kind',
    respond: text(404, '404 page not found'),
    outcome: { detect: 'an object', stream: 'gone', else: 'not_served' },
  },
  {
    id: 'F-06',
    because: 'the namespace ends',
    respond: caused(403, 'Forbidden', 'NamespaceTerminating'),
    outcome: { else: 'namespace_terminating' },
  },
  {
    id: 'F-07',
    because: 'a quota is used up',
    respond: failure(403, 'Forbidden', 'exceeded quota: q'),
    outcome: { else: 'quota_exceeded' },
  },
  {
    id: 'F-08',
    because: 'our role lacks it',
    respond: failure(403, 'Forbidden', 'User "u" cannot get resource'),
    outcome: { detect: 'an object', else: 'not_permitted' },
  },
  {
    id: 'F-09',
    because: 'the schema refuses it',
    respond: caused(422, 'Invalid', 'FieldValueInvalid'),
    outcome: { else: 'refused' },
  },
  {
    id: 'F-09',
    because: 'it is no request',
    respond: failure(400, 'BadRequest'),
    outcome: { else: 'refused' },
  },
  {
    id: 'F-09',
    because: 'a webhook denies it and gives no reason',
    respond: failure(422, '', 'denied the request:  Missing'),
    outcome: { else: 'refused' },
  },
  {
    id: 'F-10',
    because: 'a webhook is away',
    respond: failure(500, 'InternalError', 'failed calling webhook "x": connection refused'),
    outcome: { else: 'webhook_unavailable' },
  },
  {
    id: 'F-11',
    because: 'we are too fast',
    respond: text(429, 'Too many requests, please try again later.'),
    outcome: { else: 'throttled' },
  },
  {
    id: 'F-12',
    because: 'the server broke',
    respond: failure(500, 'InternalError'),
    outcome: mayBeDone,
  },
  {
    id: 'F-12',
    because: 'a gateway in between broke',
    respond: text(502, '<html>'),
    outcome: mayBeDone,
  },
  { id: 'F-12', because: 'nobody serves', respond: text(503, ''), outcome: mayBeDone },
  {
    id: 'F-12',
    because: 'the answer comes too late for the server',
    respond: failure(504, 'Timeout'),
    outcome: mayBeDone,
  },
  {
    id: 'F-13',
    because: 'the connection ends before any answer',
    respond: cut,
    outcome: mayBeDone,
  },
  {
    id: 'F-13',
    because: 'no answer comes',
    respond: () => undefined,
    outcome: mayBeDone,
    timeoutMs: 1000,
  },
  {
    id: 'F-14',
    because: 'the connection ends in the middle of the answer',
    respond: cutInTheMiddle,
    outcome: mayBeDone,
  },
  {
    id: 'F-15',
    because: 'no token is good',
    respond: failure(401, 'Unauthorized'),
    outcome: { else: 'unauthenticated' },
  },
  {
    id: 'F-16',
    because: 'a newer cluster says what we never heard of',
    respond: json(200, {
      ...object({}, { status: { phase: 'Frozen', conditions: 'none' }, extra: [1] }),
      items: [{}, 7, theirs],
      kind: 'Later',
    }),
    outcome: { ...seen, remove: 'terminating', else: 'an object' },
  },
  {
    id: 'F-16',
    because: 'the answer is not an object',
    respond: text(200, 'hello'),
    outcome: { ...seen, read: 'nothing', remove: 'gone', else: 'maybe_applied' },
  },
  {
    id: '410',
    because: 'the page expired',
    respond: failure(410, 'Expired'),
    outcome: { else: 'expired' },
  },
]

let server: SecureServer
let respond: Respond
const open: Cluster[] = []

beforeAll(async () => {
  server = await secureServer((request, response) => {
    // Read to the end, or the next request on the connection would wait.
    request.resume()
    respond(response, request)
  })
})
afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close()
})
afterAll(() => server.close())

function freshGateway(door: { url: string; ca?: string } = server, timeoutMs = 10_000): Cluster {
  const cluster = gatewayTo(door, { timeoutMs })
  open.push(cluster)
  return cluster
}

const told = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => {
      if (answer === null) return 'nothing'
      if (typeof answer === 'string') return answer
      const isPage = Array.isArray(answer) || (typeof answer === 'object' && 'items' in answer)
      return isPage ? 'a page' : 'an object'
    },
    (error: unknown) => (error instanceof ClusterError ? error.trouble : `a bug: ${String(error)}`),
  )

const place = { namespace: 'ns', name: 'a' }
const names = Object.keys(operations)

/** All at once, each through a gateway and by that a token bucket of its own. */
async function outcomes(
  door?: { url: string; ca?: string },
  timeoutMs?: number,
): Promise<Record<string, string>> {
  const all = names.map(async (name) => [
    name,
    await told(operations[name]?.run(freshGateway(door, timeoutMs), place) ?? expect.unreachable()),
  ])
  // Pairs of name and outcome, as they were put together above.
  return Object.fromEntries((await Promise.all(all)) as [string, string][])
}

/** An order looks whom it is for before it is given. */
const orderAfter: Readonly<Record<string, string>> = { nothing: 'gone', 'an object': 'accepted' }

function outcomeOf(does: Does, outcome: Row['outcome']): string {
  const own = outcome[does] ?? outcome.else
  if (does !== 'order') return own
  const looked = outcome.read ?? outcome.else
  return outcome.order ?? orderAfter[looked] ?? looked
}

const forAll = (outcome: Row['outcome']) =>
  Object.fromEntries(
    Object.entries(operations).map(([name, { does }]) => [name, outcomeOf(does, outcome)]),
  )

test.each(rows)('$id: $because', async ({ respond: answer, outcome, timeoutMs }) => {
  respond = answer
  expect(await outcomes(server, timeoutMs)).toEqual(forAll(outcome))
})

describe('F-17: the cluster cannot be reached', () => {
  test('nobody listens', async () => {
    const gone = await secureServer(() => undefined)
    await gone.close()
    expect(await outcomes(gone)).toEqual(forAll({ else: 'unreachable' }))
  })

  test('somebody else answers, with a certificate of their own', async () => {
    const stranger = await secureServer((_request, response) => response.end('{}'))
    const seen = await outcomes({ ...stranger, ca: server.ca })
    await stranger.close()
    expect(seen).toEqual(forAll({ else: 'unreachable' }))
    expect(stranger.requests).toEqual([])
  })

  test('a name that nobody knows', async () => {
    const nowhere = freshGateway({ url: 'https://cluster.invalid:6443', ca: server.ca })
    expect(await told(nowhere.reader.getNamespace({ name: 'a' }))).toBe('unreachable')
  })
})

test('F-14: a create whose answer was lost finds its own object and makes no second', async () => {
  let made = 0
  respond = (response, request) => {
    if (request.method === 'GET') return json(200, ours)(response, request)
    made += 1
    return (
      made === 1
        ? cut
        : made === 2
          ? failure(409, 'Conflict', 'the object has been modified')
          : json(200, ours)
    )(response, request)
  }
  const cluster = freshGateway()
  const wanted = { name: 'a', tenantId: rowId, rowId, uid: null }
  expect(await told(cluster.writer.applyNamespace(wanted))).toBe('maybe_applied')
  expect((await cluster.writer.applyNamespace(wanted)).uid).toBe(uid)
})

test('F-11: after a 429 nobody’s next call leaves before the cluster wants it', async () => {
  respond = json(429, { message: 'later' }, { 'retry-after': '1' })
  const cluster = freshGateway()
  expect(await told(cluster.reader.getNamespace({ name: 'a' }))).toBe('throttled')
  respond = json(200, ours)
  const asked = server.requests.at(-1)?.at ?? 0
  await Promise.all([
    cluster.reader.getNamespace({ name: 'b' }),
    cluster.reader.listNamespaces({ limit: 1, after: null }),
  ])
  const [later = 0] = server.requests.slice(-2).map(({ at }) => at)
  expect(later - asked).toBeGreaterThanOrEqual(990)
})
