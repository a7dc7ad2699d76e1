import { WebSocket } from 'ws'
import { type Json } from '../../support/json.ts'
import { type Load, type LoadResult } from '../load/load.ts'
import { percentile } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'
import { type VmWorld, openVmWorld, sumOf, until } from '../product/vm-world.ts'
import { type World } from '../product/world.ts'

/**
 * The rows that measure how fast VMs are deployed, and how fast a change of a VM reaches a
 * subscriber.
 */
export const vms: Bench = {
  name: 'VM deploys and phases',
  async run(world) {
    await using vmWorld = await openVmWorld(world, 'vms')
    const rows = await deploys(world, vmWorld)
    if (!world.options.quick) await fill(world, vmWorld)
    return [...rows, await phases(world, vmWorld)]
  },
}

const document =
  'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id state } operation { id state } } }'
const timeoutMinutes = 3
const minVms = 1_000
const warmUpSeconds = 0.5

/**
 * Sends deploys for a few seconds and then waits until all VMs run. A warm-up deploys some before.
 */
async function deploys(world: World, vmWorld: VmWorld): Promise<Row[]> {
  const load = await world.load()
  const requests = await loadOf(vmWorld)
  const warmed = await load.ask<LoadResult>({ ...requests, seconds: warmUpSeconds })
  await ended(vmWorld)
  const before = sumOf((await vmWorld.calls()).values())
  const started = performance.now()
  const accepted = await load.ask<LoadResult>({
    ...requests,
    seconds: world.options.quick ? 0.5 : 3,
  })
  await ended(vmWorld)
  const tookS = (performance.now() - started) / 1_000
  const done = (await countOf(vmWorld, `state = 'succeeded'`)) - warmed.requests
  if (done < accepted.requests)
    throw new Error(`${accepted.requests} deploys were accepted and ${done} succeeded`)
  const made = sumOf((await vmWorld.calls()).values()) - before
  const { p50Ms, p99Ms, perSecond } = accepted
  return [
    {
      name: 'VM deploys accepted',
      berth: { p50Ms, p99Ms, perSecond },
      value: perSecond,
      unit: '/s',
      target: { atLeast: 100 },
    },
    {
      name: 'VM deploy accepted, p99',
      berth: { p50Ms, p99Ms },
      value: p99Ms,
      unit: 'ms',
      target: { atMost: 150 },
    },
    {
      name: 'VM deploys finished in a cluster without delays',
      berth: {},
      value: done / tookS,
      unit: '/s',
      target: { atLeast: 30 },
    },
    {
      name: 'cluster calls per deploy',
      berth: {},
      value: made / done,
      unit: 'calls',
      target: { atMost: 8 },
    },
  ]
}

/** Fills up to a thousand VMs, so that a phase changes among many. */
async function fill(world: World, vmWorld: VmWorld): Promise<void> {
  const load = await world.load()
  const requests = await loadOf(vmWorld)
  while ((await countOf(vmWorld, `state = 'succeeded'`)) < minVms) {
    await load.ask<LoadResult>({ ...requests, seconds: 1 })
    await ended(vmWorld)
  }
}

const ended = (vmWorld: VmWorld): Promise<void> =>
  until(
    async () => (await countOf(vmWorld, 'finished_at is null')) === 0,
    'the deploys to end',
    timeoutMinutes * 60_000,
  )

async function loadOf({ ask, berth, headers }: VmWorld): Promise<Omit<Load, 'seconds'>> {
  const { vmTemplates } = await ask(
    '{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }',
  )
  const variables = {
    i: { name: 'bench-########', templateId: vmTemplates.nodes[0].id, memoryMi: 64 },
  }
  const body = JSON.stringify({ query: document, variables })
  const lines = Object.entries({
    host: 'bench',
    'content-length': String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  const request = `POST /graphql HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
  return { port: berth.port, request, connections: 8 }
}

const countOf = async ({ sql }: VmWorld, condition: string): Promise<number> =>
  (
    await sql.query<{ n: number }>(
      `select count(*)::int as n from operation where kind = 'deploy_vm' and ${condition}`,
    )
  ).rows[0]?.n ?? 0

/**
 * Measures from the cluster's answer to a phase change until a subscriber receives the change,
 * among all other VMs.
 */
async function phases(world: World, vmWorld: VmWorld): Promise<Row> {
  const { rows } = await vmWorld.sql.query<{ id: string; name: string }>(
    `select id, name from vm where state = 'Running' order by id limit ${world.options.quick ? 40 : 400}`,
  )
  const running = await vmWorld.sql.query<{ n: number }>(
    `select count(*)::int as n from vm where state = 'Running'`,
  )
  const subscriber = await subscribe(vmWorld)
  const times: number[] = []
  for (const { id, name } of rows) {
    const received = subscriber.next(id)
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/berth-default/virtualmachineinstances/${name}/pause`
    const { status } = await vmWorld.kube.call(path, { method: 'PUT', body: {} })
    if (status >= 300) throw new Error(`the sandbox refused to pause: ${status}`)
    const at = performance.now()
    times.push(Math.max(0, (await received) - at))
  }
  subscriber.close()
  times.sort((a, b) => a - b)
  const [p50Ms, p99Ms] = [percentile(times, 0.5), percentile(times, 0.99)]
  const name = `from a phase change to the subscriber, ${running.rows[0]?.n ?? 0} VMs, p99`
  return { name, berth: { p50Ms, p99Ms }, value: p99Ms, unit: 'ms', target: { atMost: 250 } }
}

/** Subscribes to all changes of VMs. `next` resolves with the time of the next change of a VM. */
async function subscribe({
  berth,
  headers,
}: VmWorld): Promise<{ next: (id: string) => Promise<number>; close: () => void }> {
  const socket = new WebSocket(`ws://127.0.0.1:${berth.port}/graphql`, ['graphql-transport-ws'])
  const waiting = new Map<string, (at: number) => void>()
  const send = (message: object): void => socket.send(JSON.stringify(message))
  const subscribed = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`the server closed the socket with ${code}`)))
    socket.once('open', () =>
      send({
        type: 'connection_init',
        payload: { authorization: headers['authorization'], 'x-tenant-id': headers['x-tenant-id'] },
      }),
    )
    socket.on('message', (data: Buffer) => {
      const at = performance.now()
      const { type, payload }: Json = JSON.parse(data.toString('utf8'))
      if (type === 'connection_ack') {
        send({
          id: crypto.randomUUID(),
          type: 'subscribe',
          payload: { query: 'subscription { changes(kinds: [vm]) { objectId } }' },
        })
        socket.once('pong', () => resolve())
        socket.ping()
      }
      if (type === 'next') waiting.get(payload.data?.changes?.objectId)?.(at)
    })
  })
  await subscribed
  return {
    next: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    close: () => socket.terminate(),
  }
}
