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

// Of a kind that nobody else makes objects of.
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

/** A watch of the namespace's secrets, from now on. */
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

test('only the administrator commands faults', async () => {
  const answer = await sandbox.call('/_sandbox/history/compact', {
    method: 'POST',
    body: {},
    anonymous: true,
  })
  expect(answer.status).toBe(401)
  expect((await sandbox.call('/_sandbox/nothing', { method: 'POST', body: {} })).status).toBe(400)
})

test('a request is answered as ordered, so often and no more, and its work is not done', async () => {
  const fault = {
    do: 'answer',
    status: 429,
    body: { kind: 'Status', code: 429 },
    headers: { 'retry-after': '1' },
  } as const
  await faults.order('requests', { method: 'POST', path: '*/secrets', times: 2, fault })
  expect(
    [await create('a'), await create('a'), await create('a')].map(({ status }) => status),
  ).toEqual([429, 429, 201])
})

test('a connection is cut before the work is done', async () => {
  await faults.order('requests', {
    method: 'POST',
    path: secrets(),
    fault: { do: 'drop', when: 'before' },
  })
  await expect(create('a')).rejects.toThrow()
  expect(await read('a')).toBe(404)
})

test('a connection is cut after the work is done', async () => {
  await faults.order('requests', {
    method: 'POST',
    path: secrets(),
    fault: { do: 'drop', when: 'after' },
  })
  await expect(create('a')).rejects.toThrow()
  expect(await read('a')).toBe(200)
})

test('an answer breaks off in its body', async () => {
  await faults.order('requests', {
    method: 'GET',
    path: secrets(),
    fault: { do: 'cut', afterBytes: 10 },
  })
  await expect(sandbox.call(secrets())).rejects.toThrow()
  expect((await sandbox.call(secrets())).status).toBe(200)
})

test('a request hangs without an answer, and one is delayed until time passes', async () => {
  await faults.order('requests', {
    method: 'GET',
    path: `${secrets()}/hang`,
    fault: { do: 'hang' },
  })
  await faults.order('requests', {
    method: 'GET',
    path: `${secrets()}/late`,
    fault: { do: 'delay', ms: 3_600_000 },
  })
  const seen: string[] = []
  void sandbox.call(`${secrets()}/hang`).then(
    () => seen.push('hang'),
    () => undefined,
  )
  const late = sandbox.call(`${secrets()}/late`).then(({ status }) => seen.push(`late ${status}`))
  await waitFor(async () => {
    await faults.order('clock/advance', { ms: 3_600_000 })
    return seen.length > 0
  })
  await late
  expect(seen).toEqual(['late 404'])
})

test('faults that wait are forgotten on command', async () => {
  await faults.order('requests', {
    path: secrets(),
    times: 100,
    fault: { do: 'answer', status: 500 },
  })
  await faults.order('requests/clear', {})
  expect((await sandbox.call(secrets())).status).toBe(200)
})

test('a list is served as it was', async () => {
  const before = Number((await create('a')).body.metadata.resourceVersion)
  await create('b')
  await faults.order('requests', {
    method: 'GET',
    path: secrets(),
    fault: { do: 'stale', version: before },
  })
  const names = async (): Promise<string[]> =>
    (await sandbox.call(secrets())).body.items.map(({ metadata }) => metadata.name)
  expect(await names()).not.toContain('b')
  expect(await names()).toContain('b')
})

test('after a compaction a watch from before is too old', async () => {
  const { body } = await create('a')
  await create('b')
  await faults.order('history/compact', {})
  const answer = await sandbox.call(
    `${secrets()}?watch=1&timeoutSeconds=1&resourceVersion=${body.metadata.resourceVersion}`,
  )
  expect(answer.text).toContain('"code":410')
})

test.each([
  { command: 'watches/end', ended: 'clean' },
  { command: 'watches/reset', ended: 'broken' },
] as const)('$command ends the open watches', async ({ command, ended }) => {
  const watch = await openWatch()
  await create('a')
  await waitFor(() => watch.names().includes('a'))
  expect(await faults.order(command, { path: secrets() })).toEqual({ watches: 1 })
  await waitFor(() => watch.ended() === ended)
  watch.close()
})

test('a muted watch stays open and is silent', async () => {
  const muted = await openWatch()
  expect(await faults.order('watches/mute', { path: secrets() })).toEqual({ watches: 1 })
  const heard = await openWatch()
  await create('a')
  await waitFor(() => heard.names().includes('a'))
  expect(muted.names()).toEqual([])
  expect(muted.ended()).toBe('no')
  for (const watch of [muted, heard]) watch.close()
})

test('a watch loses the events that it is told to lose', async () => {
  const watch = await openWatch()
  await faults.order('watches/drop', { path: secrets(), times: 2 })
  for (const name of ['a', 'b', 'c']) await create(name)
  await waitFor(() => watch.names().includes('c'))
  expect(watch.names()).toEqual(['c'])
  watch.close()
})

test('events are kept back until they are released, in their order', async () => {
  const watch = await openWatch()
  await faults.order('watches/hold', { path: secrets() })
  const witness = await openWatch()
  for (const name of ['a', 'b']) await create(name)
  await waitFor(() => witness.names().includes('b'))
  expect(watch.names()).toEqual([])
  await faults.order('watches/release', { path: secrets() })
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
const isLookedAt = async (name: string): Promise<boolean> =>
  (await sandbox.call(`${snapshots()}/${name}`)).body.metadata.finalizers !== undefined

test('a controller is held for one key, goes on with the others, and makes up for it when released', async () => {
  const gate = { controller: 'vmsnapshot-controller', key: `${namespace}/held` }
  await faults.order('controllers/hold', gate)
  await takeSnapshot('held')
  await takeSnapshot('free')
  await waitFor(() => isLookedAt('free'))
  expect(await isLookedAt('held')).toBe(false)
  await faults.order('controllers/release', gate)
  await waitFor(() => isLookedAt('held'))
})

test('a controller that fails tries again', async () => {
  await faults.order('controllers/fail', {
    controller: 'vmsnapshot-controller',
    key: `${namespace}/s`,
    times: 2,
  })
  await takeSnapshot('s')
  await waitFor(() => isLookedAt('s'))
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

test('a lost node loses its pods, takes no new ones, and takes them again when it is back', async () => {
  const pod = async (name: string): Promise<Pod | null> => {
    const { status, text } = await sandbox.call(`${pods()}/${name}`)
    return status === 200 ? (JSON.parse(text) as Pod) : null
  }
  const condition = async (name: string, type: string) =>
    (await pod(name))?.status?.conditions?.find((each) => each.type === type)?.status
  await aPod('a', 'node-1')
  await waitFor(async () => (await pod('a'))?.spec.nodeName === 'node-1')
  await faults.order('nodes/kill', { name: 'node-1' })
  await waitFor(async () => (await condition('a', 'Ready')) === 'False')
  await aPod('b', 'node-1')
  await waitFor(async () => (await condition('b', 'PodScheduled')) === 'False')
  // The taint that evicts the pod may come a moment after the condition of the pod.
  await waitFor(async () => (await sandbox.call('/api/v1/nodes/node-1')).text.includes('NoExecute'))
  await faults.order('clock/advance', { ms: 301_000 })
  await waitFor(async () => (await pod('a')) === null)
  await faults.order('nodes/revive', { name: 'node-1' })
  await waitFor(async () => (await pod('b'))?.spec.nodeName === 'node-1')
})

test('what happens after time has passed is told of, also between two milliseconds', async () => {
  await faults.order('clock/advance', { ms: 1_000.5 })
  await aPod('c', 'node-2')
  const told = async (): Promise<unknown[]> =>
    (await sandbox.call(`/api/v1/namespaces/${namespace}/events`)).body.items
  await waitFor(async () => JSON.stringify(await told()).includes('Successfully assigned'), {
    what: 'the news of its node',
  })
  await faults.order('clock/advance', { ms: 0.5 })
})

test('the pace is set for what comes', async () => {
  await faults.order('pace', { factor: 1_000 })
  await takeSnapshot('slow')
  expect(await isLookedAt('slow')).toBe(false)
  await faults.order('pace', { factor: 0.1 })
  await faults.order('clock/advance', { ms: 41_000 })
  await waitFor(() => isLookedAt('slow'))
})
