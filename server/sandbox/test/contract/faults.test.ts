import { Agent, request } from 'node:https'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { type SandboxFaults, sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

let sandbox: RunningSandbox
let faults: SandboxFaults
let used = 0
let namespace: string

beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  faults = sandboxFaults(sandbox)
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  namespace = `faults-${(used += 1)}`
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  })
})

// No controller creates objects of this kind here.
const secrets = (): string => `/api/v1/namespaces/${namespace}/secrets`
const create = (name: string) =>
  sandbox.call(secrets(), {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: {} },
  })
const read = async (name: string): Promise<number> =>
  (await sandbox.call(`${secrets()}/${name}`)).status

interface OpenWatch {
  names(): string[]
  ended(): 'no' | 'clean' | 'broken'
  close(): void
}

/** Opens a watch of the secrets in the namespace, beginning now. */
async function openWatch(): Promise<OpenWatch> {
  const { body } = await sandbox.call(secrets())
  const url = new URL(
    `${sandbox.url}${secrets()}?watch=1&resourceVersion=${body.metadata.resourceVersion}`,
  )
  const agent = new Agent({ ca: sandbox.ca })
  let text = ''
  let ended: ReturnType<OpenWatch['ended']> = 'no'
  const sent = request(url, { agent, headers: { authorization: `Bearer ${sandbox.token}` } })
  await new Promise<void>((done) => {
    sent.on('response', (response) => {
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => (ended = 'clean'))
      response.on('error', () => (ended = 'broken'))
      done()
    })
    sent.end()
  })
  const named = (line: string): string =>
    (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name
  return {
    names: () => text.split('\n').filter(Boolean).map(named),
    ended: () => ended,
    close: () => agent.destroy(),
  }
}

test('a fault command needs the credentials of the administrator', async () => {
  const answer = await sandbox.call('/_sandbox/history/compact', {
    method: 'POST',
    body: {},
    anonymous: true,
  })
  expect(answer.status).toBe(401)
  expect((await sandbox.call('/_sandbox/nothing', { method: 'POST', body: {} })).status).toBe(400)
})

test('an answer fault replaces the configured number of requests and does no work', async () => {
  const fault = {
    do: 'answer',
    status: 429,
    body: { kind: 'Status', code: 429 },
    headers: { 'retry-after': '1' },
  } as const
  await faults.inject('requests', { method: 'POST', path: '*/secrets', times: 2, fault })
  expect(
    [await create('a'), await create('a'), await create('a')].map(({ status }) => status),
  ).toEqual([429, 429, 201])
})

test('a drop-before fault cuts the connection and does no work', async () => {
  await faults.inject('requests', {
    method: 'POST',
    path: secrets(),
    fault: { do: 'drop', when: 'before' },
  })
  await expect(create('a')).rejects.toThrow()
  expect(await read('a')).toBe(404)
})

test('a drop-after fault cuts the connection after the work is done', async () => {
  await faults.inject('requests', {
    method: 'POST',
    path: secrets(),
    fault: { do: 'drop', when: 'after' },
  })
  await expect(create('a')).rejects.toThrow()
  expect(await read('a')).toBe(200)
})

test('a cut fault cuts the response in its body', async () => {
  await faults.inject('requests', {
    method: 'GET',
    path: secrets(),
    fault: { do: 'cut', afterBytes: 10 },
  })
  await expect(sandbox.call(secrets())).rejects.toThrow()
  expect((await sandbox.call(secrets())).status).toBe(200)
})

test('a hang fault sends no response, and a delay fault waits until the time has passed', async () => {
  await faults.inject('requests', {
    method: 'GET',
    path: `${secrets()}/hang`,
    fault: { do: 'hang' },
  })
  await faults.inject('requests', {
    method: 'GET',
    path: `${secrets()}/late`,
    fault: { do: 'delay', ms: 3_600_000 },
  })
  const finished: string[] = []
  void sandbox.call(`${secrets()}/hang`).then(
    () => finished.push('hang'),
    () => undefined,
  )
  const late = sandbox
    .call(`${secrets()}/late`)
    .then(({ status }) => finished.push(`late ${status}`))
  await waitFor(async () => {
    await faults.inject('clock/advance', { ms: 3_600_000 })
    return finished.length > 0
  })
  await late
  expect(finished).toEqual(['late 404'])
})

test('a clear command removes pending faults', async () => {
  await faults.inject('requests', {
    path: secrets(),
    times: 100,
    fault: { do: 'answer', status: 500 },
  })
  await faults.inject('requests/clear', {})
  expect((await sandbox.call(secrets())).status).toBe(200)
})

test('a stale fault serves the list at an earlier version', async () => {
  const before = Number((await create('a')).body.metadata.resourceVersion)
  await create('b')
  await faults.inject('requests', {
    method: 'GET',
    path: secrets(),
    fault: { do: 'stale', version: before },
  })
  const names = async (): Promise<string[]> =>
    (await sandbox.call(secrets())).body.items.map(({ metadata }) => metadata.name)
  expect(await names()).not.toContain('b')
  expect(await names()).toContain('b')
})

test('a watch from before a compaction is too old', async () => {
  const { body } = await create('a')
  await create('b')
  await faults.inject('history/compact', {})
  const answer = await sandbox.call(
    `${secrets()}?watch=1&timeoutSeconds=1&resourceVersion=${body.metadata.resourceVersion}`,
  )
  expect(answer.text).toContain('"code":410')
})

test.each([
  { command: 'watches/end', ended: 'clean' },
  { command: 'watches/reset', ended: 'broken' },
] as const)('the command $command ends the open watches', async ({ command, ended }) => {
  const watch = await openWatch()
  await create('a')
  await waitFor(() => watch.names().includes('a'))
  expect(await faults.inject(command, { path: secrets() })).toEqual({ watches: 1 })
  await waitFor(() => watch.ended() === ended)
  watch.close()
})

test('a muted watch stays open and sends no events', async () => {
  const muted = await openWatch()
  expect(await faults.inject('watches/mute', { path: secrets() })).toEqual({ watches: 1 })
  const open = await openWatch()
  await create('a')
  await waitFor(() => open.names().includes('a'))
  expect(muted.names()).toEqual([])
  expect(muted.ended()).toBe('no')
  for (const watch of [muted, open]) watch.close()
})

test('a watch drops the configured number of events', async () => {
  const watch = await openWatch()
  await faults.inject('watches/drop', { path: secrets(), times: 2 })
  for (const name of ['a', 'b', 'c']) await create(name)
  await waitFor(() => watch.names().includes('c'))
  expect(watch.names()).toEqual(['c'])
  watch.close()
})

test('held events are sent in order after the release', async () => {
  const watch = await openWatch()
  await faults.inject('watches/hold', { path: secrets() })
  const witness = await openWatch()
  for (const name of ['a', 'b']) await create(name)
  await waitFor(() => witness.names().includes('b'))
  expect(watch.names()).toEqual([])
  await faults.inject('watches/release', { path: secrets() })
  await waitFor(() => watch.names().length === 2)
  expect(watch.names()).toEqual(['a', 'b'])
  for (const each of [watch, witness]) each.close()
})

const snapshots = (): string =>
  `/apis/snapshot.kubevirt.io/v1beta1/namespaces/${namespace}/virtualmachinesnapshots`
const takeSnapshot = (name: string) => {
  const spec = { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'nobody' } }
  const body = {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name },
    spec,
  }
  return sandbox.call(snapshots(), { method: 'POST', body })
}
const isReconciled = async (name: string): Promise<boolean> =>
  (await sandbox.call(`${snapshots()}/${name}`)).body.metadata.finalizers !== undefined

test('a controller that is held for one key reconciles other keys, and this key after the release', async () => {
  const gate = { controller: 'vmsnapshot-controller', key: `${namespace}/held` }
  await faults.inject('controllers/hold', gate)
  await takeSnapshot('held')
  await takeSnapshot('free')
  await waitFor(() => isReconciled('free'))
  expect(await isReconciled('held')).toBe(false)
  await faults.inject('controllers/release', gate)
  await waitFor(() => isReconciled('held'))
})

test('a controller that fails retries', async () => {
  await faults.inject('controllers/fail', {
    controller: 'vmsnapshot-controller',
    key: `${namespace}/s`,
    times: 2,
  })
  await takeSnapshot('s')
  await waitFor(() => isReconciled('s'))
})

interface Pod {
  metadata: { deletionTimestamp?: string }
  spec: { nodeName?: string }
  status?: { conditions?: { type: string; status: string }[] }
}

const pods = (): string => `/api/v1/namespaces/${namespace}/pods`

async function aPod(name: string, node: string): Promise<void> {
  const spec = {
    containers: [{ name: 'c', image: 'i' }],
    nodeSelector: { 'kubernetes.io/hostname': node },
  }
  await sandbox.call(pods(), {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec },
  })
}

test('a lost node loses its pods and receives pods again only after it is back', async () => {
  const pod = async (name: string): Promise<Pod | null> => {
    const { status, text } = await sandbox.call(`${pods()}/${name}`)
    return status === 200 ? (JSON.parse(text) as Pod) : null
  }
  const condition = async (name: string, type: string) =>
    (await pod(name))?.status?.conditions?.find((each) => each.type === type)?.status
  await aPod('a', 'node-1')
  await waitFor(async () => (await pod('a'))?.spec.nodeName === 'node-1', {
    what: 'the first pod to be scheduled',
  })
  await faults.inject('nodes/kill', { name: 'node-1' })
  await waitFor(async () => (await condition('a', 'Ready')) === 'False', {
    what: 'the pod to lose its readiness',
  })
  await aPod('b', 'node-1')
  await waitFor(async () => (await condition('b', 'PodScheduled')) === 'False', {
    what: 'the second pod to stay unscheduled',
  })
  // The taint that evicts the pod can follow shortly after the pod condition.
  await waitFor(
    async () => (await sandbox.call('/api/v1/nodes/node-1')).text.includes('NoExecute'),
    { what: 'the taint of the node' },
  )
  await faults.inject('clock/advance', { ms: 301_000 })
  await waitFor(async () => (await pod('a')) === null, { what: 'the first pod to be evicted' })
  await faults.inject('nodes/revive', { name: 'node-1' })
  await waitFor(async () => (await pod('b'))?.spec.nodeName === 'node-1', {
    what: 'the second pod to be scheduled on the node that is back',
  })
})

test('events are reported after the clock advances by a fraction of a millisecond', async () => {
  await faults.inject('clock/advance', { ms: 1_000.5 })
  await aPod('c', 'node-2')
  const events = async (): Promise<unknown[]> =>
    (await sandbox.call(`/api/v1/namespaces/${namespace}/events`)).body.items
  await waitFor(async () => JSON.stringify(await events()).includes('Successfully assigned'), {
    what: 'the event of the scheduled pod',
  })
  await faults.inject('clock/advance', { ms: 0.5 })
})

test('a new pace applies to later steps', async () => {
  await faults.inject('pace', { factor: 1_000 })
  await takeSnapshot('slow')
  expect(await isReconciled('slow')).toBe(false)
  await faults.inject('pace', { factor: 0.1 })
  await faults.inject('clock/advance', { ms: 41_000 })
  await waitFor(() => isReconciled('slow'))
})
