import { type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { ClusterError } from '../../../server/src/engine/kube/cluster-error.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { rowId, uid } from '../../support/cluster/gateway-operation.ts'
import { operations } from '../../support/cluster/gateway-operations.ts'
import { type SecureServer, secureServer } from '../../support/cluster/scripted-server.ts'

/*
 * The answers of the cluster and their translation by the gateway: rows F-01 to F-17 of the
 * reliability reference, section 3.3. Every operation runs over a real connection.
 */
type Does = (typeof operations)[string]['does']
type Respond = (response: ServerResponse, request: IncomingMessage) => void

interface Row {
  id: string
  because: string
  respond: Respond
  /**
   * A trouble, or the result of the operation when there is none. `else` stands for all operations
   * that are not named.
   */
  outcome: Partial<Record<Does, string>> & { else: string }
  /** Set where the row tests the timeout. */
  timeoutMs?: number
}

const object = (labels: Record<string, string>, more: object = {}) => ({
  metadata: { name: 'a', namespace: 'ns', uid, resourceVersion: '7', labels },
  ...more,
})
const owned = object({
  'berth.dev/managed-by': 'berth',
  'berth.dev/row-id': rowId,
  'berth.dev/tenant-id': rowId,
})
const other = object({})

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
  (status: number, body: string): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/plain' })
    response.end(body)
  }
const cut: Respond = (response) => response.destroy()
const cutInTheMiddle: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write('{"metadata": {"na', () => response.destroy())
}
/** Sends one answer to the write and another to the read that follows it. */
const firstThen =
  (write: Respond, read: Respond): Respond =>
  (response, request) =>
    (request.method === 'GET' ? read : write)(response, request)

/** The results when the answer is an object, which is no WebSocket and no running VM. */
const hits = {
  answer: 'an object',
  read: 'an object',
  list: 'a page',
  detect: 'an object',
  stream: 'unreachable',
  log: 'gone',
} as const

const mayBeDone = {
  answer: 'unreachable',
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
    because: 'the name belongs to an object of another owner',
    respond: firstThen(failure(409, 'AlreadyExists'), json(200, other)),
    outcome: { ...hits, order: 'name_taken', else: 'name_taken' },
  },
  {
    id: 'F-01',
    because: 'a create finds an object of another owner',
    respond: firstThen(failure(409, 'Conflict', 'the object has been modified'), json(200, other)),
    outcome: { ...hits, create: 'name_taken', order: 'version_conflict', else: 'version_conflict' },
  },
  {
    id: 'F-02',
    because: 'another writer changed the object in between',
    respond: firstThen(failure(409, 'Conflict', 'the object has been modified'), json(200, owned)),
    outcome: { ...hits, order: 'version_conflict', else: 'version_conflict' },
  },
  {
    id: 'F-03',
    because: 'another manager owns a field',
    respond: caused(409, 'Conflict', 'FieldManagerConflict'),
    outcome: { else: 'field_conflict' },
  },
  {
    id: 'F-04',
    because: 'the object was deleted before the call',
    respond: failure(
      409,
      'Conflict',
      'uid mismatch: the provided object specified uid x, and no existing object was found',
    ),
    outcome: { remove: 'gone', else: 'uid_mismatch' },
  },
  {
    id: 'F-04',
    because: 'another object has the name',
    respond: failure(
      409,
      'Conflict',
      'the UID in the precondition (a) does not match the UID in record (b)',
    ),
    outcome: { remove: 'gone', else: 'uid_mismatch' },
  },
  {
    id: 'F-05',
    because: 'the object does not exist',
    respond: json(404, { reason: 'NotFound', message: 'not found', details: { kind: 'things' } }),
    outcome: { read: 'nothing', detect: 'an object', else: 'gone' },
  },
  {
    id: 'F-05',
    because: 'the cluster does not serve the kind',
    respond: text(404, '404 page not found'),
    outcome: { detect: 'an object', stream: 'gone', else: 'not_served' },
  },
  {
    id: 'F-06',
    because: 'the namespace is terminating',
    respond: caused(403, 'Forbidden', 'NamespaceTerminating'),
    outcome: { else: 'namespace_terminating' },
  },
  {
    id: 'F-07',
    because: 'a quota is exceeded',
    respond: failure(403, 'Forbidden', 'exceeded quota: q'),
    outcome: { else: 'quota_exceeded' },
  },
  {
    id: 'F-08',
    because: 'the role of Berth lacks the permission',
    respond: failure(403, 'Forbidden', 'User "u" cannot get resource'),
    outcome: { else: 'not_permitted' },
  },
  {
    id: 'F-09',
    because: 'the schema refuses the object',
    respond: caused(422, 'Invalid', 'FieldValueInvalid'),
    outcome: { else: 'refused' },
  },
  {
    id: 'F-09',
    because: 'the request is malformed',
    respond: failure(400, 'BadRequest'),
    outcome: { else: 'refused' },
  },
  {
    id: 'F-09',
    because: 'a webhook denies the request without a reason',
    respond: failure(422, '', 'denied the request:  Missing'),
    outcome: { else: 'refused' },
  },
  {
    id: 'F-10',
    because: 'a webhook is unavailable',
    respond: failure(500, 'InternalError', 'failed calling webhook "x": connection refused'),
    outcome: { else: 'webhook_unavailable' },
  },
  {
    id: 'F-11',
    because: 'the client sends too many requests',
    respond: text(429, 'Too many requests, please try again later.'),
    outcome: { else: 'throttled' },
  },
  {
    id: 'F-12',
    because: 'the server has an internal error',
    respond: failure(500, 'InternalError'),
    outcome: mayBeDone,
  },
  {
    id: 'F-12',
    because: 'a gateway in between fails',
    respond: text(502, '<html>'),
    outcome: mayBeDone,
  },
  { id: 'F-12', because: 'no server is available', respond: text(503, ''), outcome: mayBeDone },
  {
    id: 'F-12',
    because: 'the server times out',
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
    because: 'no answer arrives',
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
    because: 'the token is invalid',
    respond: failure(401, 'Unauthorized'),
    outcome: { else: 'unauthenticated' },
  },
  {
    id: 'F-16',
    because: 'a newer cluster sends unknown values',
    respond: json(200, {
      ...object({}, { status: { phase: 'Frozen', conditions: 'none' }, extra: [1] }),
      items: [{}, 7, other],
      kind: 'Later',
    }),
    outcome: { ...hits, remove: 'terminating', else: 'an object' },
  },
  {
    id: 'F-16',
    because: 'the answer is not an object',
    respond: text(200, 'hello'),
    outcome: { ...hits, read: 'nothing', remove: 'gone', else: 'maybe_applied' },
  },
  {
    id: '410',
    because: 'the page of the list has expired',
    respond: failure(410, 'Expired'),
    outcome: { else: 'expired' },
  },
]

let server: SecureServer
let respond: Respond
const open: Cluster[] = []

beforeAll(async () => {
  server = await secureServer((request, response) => {
    // The body is read to the end, or the next request on the connection would wait.
    request.resume()
    respond(response, request)
  })
})
afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close()
})
afterAll(() => server.close())

function freshGateway(
  endpoint: { url: string; ca?: string } = server,
  timeoutMs = 10_000,
): Cluster {
  const cluster = gatewayTo(endpoint, { timeoutMs })
  open.push(cluster)
  return cluster
}

const resultOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => {
      if (answer === null) return 'nothing'
      if (typeof answer === 'string') return answer
      const isPage = Array.isArray(answer) || (typeof answer === 'object' && 'items' in answer)
      return isPage ? 'a page' : 'an object'
    },
    (error: unknown) => (error instanceof ClusterError ? error.trouble : `a bug: ${String(error)}`),
  )

const reference = { namespace: 'ns', name: 'a' }
const names = Object.keys(operations)

/**
 * Runs all operations at the same time. Each has a gateway of its own, and therefore a token bucket
 * of its own.
 */
async function outcomes(
  endpoint?: { url: string; ca?: string },
  timeoutMs?: number,
): Promise<Record<string, string>> {
  const all = names.map(async (name) => [
    name,
    await resultOf(
      operations[name]?.run(freshGateway(endpoint, timeoutMs), reference) ?? expect.unreachable(),
    ),
  ])
  // The pairs of name and outcome were built above.
  return Object.fromEntries((await Promise.all(all)) as [string, string][])
}

/** A power command reads its VM before it is sent. */
const orderAfter: Readonly<Record<string, string>> = { nothing: 'gone', 'an object': 'accepted' }

function outcomeOf(does: Does, outcome: Row['outcome']): string {
  const own = outcome[does] ?? outcome.else
  if (does !== 'order') return own
  const readResult = outcome.read ?? outcome.else
  return outcome.order ?? orderAfter[readResult] ?? readResult
}

const forAll = (outcome: Row['outcome']) =>
  Object.fromEntries(
    Object.entries(operations).map(([name, { does }]) => [name, outcomeOf(does, outcome)]),
  )

test.each(rows)(
  '$id: the gateway translates the answer of the cluster when $because',
  async (row) => {
    respond = row.respond
    expect(await outcomes(server, row.timeoutMs)).toEqual(forAll(row.outcome))
  },
)

describe('F-17: an unreachable cluster', () => {
  test('a cluster where no server listens is unreachable', async () => {
    const gone = await secureServer(() => undefined)
    await gone.close()
    expect(await outcomes(gone)).toEqual(forAll({ else: 'unreachable' }))
  })

  test('a server with another certificate counts as unreachable', async () => {
    const stranger = await secureServer((_request, response) => response.end('{}'))
    const results = await outcomes({ ...stranger, ca: server.ca })
    await stranger.close()
    expect(results).toEqual(forAll({ else: 'unreachable' }))
    expect(stranger.requests).toEqual([])
  })

  test('a host name that does not resolve counts as unreachable', async () => {
    const nowhere = freshGateway({ url: 'https://cluster.invalid:6443', ca: server.ca })
    expect(await resultOf(nowhere.reader.getNamespace({ name: 'a' }))).toBe('unreachable')
  })
})

test('F-14: a create whose answer was lost finds its own object and creates no second one', async () => {
  let made = 0
  respond = (response, request) => {
    if (request.method === 'GET') return json(200, owned)(response, request)
    made += 1
    return (
      made === 1
        ? cut
        : made === 2
          ? failure(409, 'Conflict', 'the object has been modified')
          : json(200, owned)
    )(response, request)
  }
  const cluster = freshGateway()
  const desired = { name: 'a', tenantId: rowId, rowId, uid: null }
  expect(await resultOf(cluster.writer.applyNamespace(desired))).toBe('maybe_applied')
  expect((await cluster.writer.applyNamespace(desired)).uid).toBe(uid)
})

test('F-11: no call leaves after a 429 before the time that the cluster demands', async () => {
  respond = json(429, { message: 'later' }, { 'retry-after': '1' })
  const cluster = freshGateway()
  expect(await resultOf(cluster.reader.getNamespace({ name: 'a' }))).toBe('throttled')
  respond = json(200, owned)
  const requestedAt = server.requests.at(-1)?.at ?? 0
  await Promise.all([
    cluster.reader.getNamespace({ name: 'b' }),
    cluster.reader.listNamespaces({ limit: 1, after: null }),
  ])
  const [later = 0] = server.requests.slice(-2).map(({ at }) => at)
  expect(later - requestedAt).toBeGreaterThanOrEqual(990)
})
