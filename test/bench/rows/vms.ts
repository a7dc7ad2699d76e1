import { WebSocket } from 'ws'
import { type Json } from '../../support/json.ts'
import { type Load, type Loaded } from '../load/load.ts'
import { percentile } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'
import { type VmPlace, openVmPlace, sumOf, until } from '../product/vm-world.ts'
import { type World } from '../product/world.ts'

export const vms: Bench = {
  name: 'VM deploys and phases',
  async run(world) {
    await using place = await openVmPlace(world, 'vms')
    const rows = await deploys(world, place)
    if (!world.options.quick) await fill(world, place)
    return [...rows, await phases(world, place)]
  },
}

const document =
  'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id state } operation { id state } } }'
const mostMinutes = 3
const mostVms = 1_000
const warmUpSeconds = 0.5

/**
 * As many as are taken within a moment, and then until all of them run; by a server that has
 * deployed before.
 */
async function deploys(world: World, place: VmPlace): Promise<Row[]> {
  const load = await world.load()
  const asked = await loadOf(place)
  const warmed = await load.ask<Loaded>({ ...asked, seconds: warmUpSeconds })
  await ended(place)
  const before = sumOf((await place.calls()).values())
  const started = performance.now()
  const accepted = await load.ask<Loaded>({ ...asked, seconds: world.options.quick ? 0.5 : 3 })
  await ended(place)
  const tookS = (performance.now() - started) / 1_000
  const done = (await countOf(place, `state = 'succeeded'`)) - warmed.requests
  if (done < accepted.requests)
    throw new Error(`${accepted.requests} deploys were taken and ${done} succeeded`)
  const made = sumOf((await place.calls()).values()) - before
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
      name: 'VM deploys done in a cluster without delays',
      berth: {},
      value: done / tookS,
      unit: '/s',
      target: { atLeast: 30 },
    },
    {
      name: 'calls to the cluster for a deploy',
      berth: {},
      value: made / done,
      unit: 'calls',
      target: { atMost: 8 },
    },
  ]
}

/** A phase changes among a thousand. */
async function fill(world: World, place: VmPlace): Promise<void> {
  const load = await world.load()
  const asked = await loadOf(place)
  while ((await countOf(place, `state = 'succeeded'`)) < mostVms) {
    await load.ask<Loaded>({ ...asked, seconds: 1 })
    await ended(place)
  }
}

const ended = (place: VmPlace): Promise<void> =>
  until(
    async () => (await countOf(place, 'finished_at is null')) === 0,
    'the deploys to end',
    mostMinutes * 60_000,
  )

async function loadOf({ ask, berth, headers }: VmPlace): Promise<Omit<Load, 'seconds'>> {
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

const countOf = async ({ sql }: VmPlace, condition: string): Promise<number> =>
  (
    await sql.query<{ n: number }>(
      `select count(*)::int as n from operation where kind = 'deploy_vm' and ${condition}`,
    )
  ).rows[0]?.n ?? 0

/**
 * From the cluster's answer to what changes a VM's phase until a subscriber hears of it, among all
 * the others.
 */
async function phases(world: World, place: VmPlace): Promise<Row> {
  const { rows } = await place.sql.query<{ id: string; name: string }>(
    `select id, name from vm where state = 'Running' order by id limit ${world.options.quick ? 40 : 400}`,
  )
  const running = await place.sql.query<{ n: number }>(
    `select count(*)::int as n from vm where state = 'Running'`,
  )
  const hearing = await hear(place)
  const times: number[] = []
  for (const { id, name } of rows) {
    const heard = hearing.next(id)
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/berth-default/virtualmachineinstances/${name}/pause`
    const { status } = await place.door.call(path, { method: 'PUT', body: {} })
    if (status >= 300) throw new Error(`the sandbox refused to pause: ${status}`)
    const at = performance.now()
    times.push(Math.max(0, (await heard) - at))
  }
  hearing.close()
  times.sort((a, b) => a - b)
  const [p50Ms, p99Ms] = [percentile(times, 0.5), percentile(times, 0.99)]
  const name = `phase in the cluster to subscriber, ${running.rows[0]?.n ?? 0} VMs, p99`
  return { name, berth: { p50Ms, p99Ms }, value: p99Ms, unit: 'ms', target: { atMost: 250 } }
}

/** A subscriber of all changes of VMs; tells when it next heard of one. */
async function hear({
  berth,
  headers,
}: VmPlace): Promise<{ next: (id: string) => Promise<number>; close: () => void }> {
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
