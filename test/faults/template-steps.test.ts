import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints, operationKinds } from '../../server/src/domain/operation/kind.ts'
import { type FailpointPlan, planFailpoints } from '../../server/src/runtime/failpoint.ts'
import { type Images, serveImages } from '../support/image-server.ts'
import { sandboxFaults } from '../support/sandbox-faults.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Client } from '../support/world-client.ts'
import { type World, type WorldTenant, aWorld, adminPassword, unique } from '../support/world.ts'
import { type Json } from '../support/json.ts'

const kindsHere = ['import_iso', 'delete_vm_template'] as const
const workerEntry = fileURLToPath(new URL('../support/world-worker.ts', import.meta.url))

let images: Images
beforeAll(async () => {
  images = await serveImages()
})
afterAll(() => images[Symbol.asyncDispose]())

interface Place {
  world: World
  tenant: Pick<WorldTenant, 'namespace'> & { admin: Client }
}

const create = 'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }'
const remove = 'mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { id } } }'

async function begin({ tenant }: Place): Promise<string> {
  const i = { name: unique('steps'), sourceType: 'iso', image: `${images.origin}/${unique('a')}.iso`, isoSizeGi: 1 }
  return (await tenant.admin.ask(create, { i })).createVmTemplate.vmTemplate.id
}

const volumePath = ({ tenant }: Place, id: string): string =>
  `/apis/cdi.kubevirt.io/v1beta1/namespaces/${tenant.namespace}/datavolumes/iso-${id}`

/** What is left of a template's life, without what differs from life to life. */
async function endState(place: Place, id: string): Promise<unknown> {
  const { database, cluster } = place.world
  const [template] = await database.sql(
    `select import_state, import_reason, import_percent, import_generation, import_seen_generation, gone_at is not null as gone, cluster_uid
       from vm_template where id = '${id}'`,
  )
  const operations = await database.sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  const volume = (await cluster.call(volumePath(place, id))).body.metadata
  return {
    ...template,
    cluster_uid: template?.cluster_uid !== null,
    // An answer that is no object has no uid.
    volume: volume.uid ? volume.uid === template?.cluster_uid : null,
    operations: operations.map(({ steps, ...operation }) => ({
      ...operation,
      steps: (steps as Json[]).map(({ name, state }) => `${name} ${state}`),
    })),
  }
}

const ended = async ({ world }: Place, kind: string, id: string): Promise<void> => {
  const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
  await waitFor(async () => (await world.database.sql(query)).length > 0, { timeoutMs: 20_000, everyMs: 30, what: `${kind} to end` })
}

async function whole(place: Place, id: string): Promise<unknown[]> {
  await ended(place, 'import_iso', id)
  const alive = await endState(place, id)
  await place.tenant.admin.ask(remove, { i: { id } })
  await ended(place, 'delete_vm_template', id)
  return [alive, await endState(place, id)]
}

const hurry = (world: World) => sandboxFaults(world.cluster).order('pace', { factor: 0.1 })

describe('each step of a template’s operations', () => {
  let place: Place
  let expected: unknown[]
  const seen = new Set<string>()
  beforeAll(async () => {
    const world = await aWorld()
    await hurry(world)
    place = { world, tenant: await world.tenant() }
    planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
    expected = await whole(place, await begin(place))
  })
  afterEach(() => planFailpoints(null))

  test('has a failpoint before and after it, named as in the registry', () => {
    expect([...seen].filter((name) => kindsHere.some((kind) => name.startsWith(kind))).sort()).toEqual(
      allStepPoints(kindsHere)
        .flatMap((name) => [`${name} after`, `${name} before`])
        .sort(),
    )
    expect(expected).toMatchObject([
      { import_state: 'ready', import_percent: 100, volume: true, gone: false },
      { gone: true, volume: null },
    ])
  })

  const troubles = allStepPoints(kindsHere).flatMap((at) => [
    { at, where: 'before', do: 'error', nth: 1 } as const,
    { at, where: 'after', do: 'error', nth: 1 } as const,
    { at, where: 'before', do: 'repeat' } as const,
  ])
  test.each(troubles)('that meets trouble ends as if there had been none: $at $where $do', async (rule) => {
    let strikes = 0
    planFailpoints({ rules: [rule], seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0) })
    expect(await whole(place, await begin(place))).toEqual(expected)
    // An error is met once and the step is taken again; a step taken twice is one arrival.
    expect(strikes).toBeGreaterThanOrEqual(rule.do === 'error' && rule.where === 'before' ? 2 : 1)
  })

  test('that meets a delete ends with the delete: nothing is left, whichever comes first', async () => {
    for (const at of allStepPoints(['import_iso']))
      for (const where of ['before', 'after'] as const) {
        const asking: Promise<unknown>[] = []
        const id = await begin(place)
        // The step waits while the delete is asked for.
        planFailpoints({
          rules: [{ at, where, do: 'delay', delayMs: 150, nth: 1 }],
          seen: (name, when) => {
            if (asking.length === 0 && name === at && when === where) asking.push(place.tenant.admin.ask(remove, { i: { id } }))
          },
        })
        await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
        await Promise.all(asking)
        await ended(place, 'delete_vm_template', id)
        expect([at, where, await endState(place, id)]).toMatchObject([at, where, { gone: true, volume: null }])
        const open = await place.world.database.sql(`select 1 from operation where target_id = '${id}' and finished_at is null`)
        expect(open).toEqual([])
      }
  }, 240_000)
})

describe('a worker that is killed at a step of an import', () => {
  let place: Place
  const running = new Set<() => void>()

  /** A worker process; resolves when it is gone. */
  const aWorker = (failpoints: FailpointPlan | null): Promise<string> => {
    const { dir } = place.world.config.data
    const plan = JSON.stringify({
      url: place.world.config.database.url?.reveal(),
      dataDir: dir,
      kubeconfig: join(dir, 'sandbox', 'kubeconfig'),
      failpoints,
    })
    const child = spawn(process.execPath, [workerEntry], { stdio: ['pipe', 'inherit', 'inherit'] })
    child.stdin.end(plan)
    const kill = (): void => void child.kill('SIGKILL')
    running.add(kill)
    return new Promise((done) =>
      child.once('exit', (code, signal) => done(signal ?? String(code))).once('exit', () => running.delete(kill)),
    )
  }
  const stopAll = async (worker: Promise<string>): Promise<void> => {
    for (const kill of running) kill()
    await worker
    // A lease of the dead is waited for elsewhere (ten seconds each); here it has run out.
    await place.world.database.sql(`update work set lease_until = now() - interval '1 second' where lease_until is not null`)
  }

  beforeAll(async () => {
    const world = await aWorld({ worker: false })
    await hurry(world)
    const slug = unique('kill')
    place = { world, tenant: { namespace: `berth-${slug}`, admin: world.root } }
    const worker = aWorker(null)
    const made = await world.root.rest('POST', '/tenants', { body: { slug, admin_password: adminPassword } })
    await world.ended('create_tenant', made.body.tenant.id)
    place.tenant.admin = await world.login(`${slug}-admin`, adminPassword)
    await stopAll(worker)
  })
  afterAll(() => running.forEach((kill) => kill()))

  const kills = allStepPoints(kindsHere).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where, do: 'kill', nth: 1 }) as const),
  )

  test('leaves nothing that the next one does not finish, and an import goes on in the volume that it has', async () => {
    const lives: { name: string; id: string; uid: string | null }[] = []
    for (const rule of kills) {
      const id = await begin(place)
      const isDelete = rule.at.startsWith('delete')
      if (isDelete) {
        const settled = aWorker(null)
        await ended(place, 'import_iso', id)
        await stopAll(settled)
        await place.tenant.admin.ask(remove, { i: { id } })
      }
      const died = aWorker({ rules: [rule] })
      expect([rule, await died]).toEqual([rule, 'SIGKILL'])
      await stopAll(died)
      const { metadata } = (await place.world.cluster.call(volumePath(place, id))).body
      lives.push({ name: `${rule.where} ${rule.at}`, id, uid: isDelete || !metadata.uid ? null : metadata.uid })
      const next = aWorker(null)
      await ended(place, isDelete ? 'delete_vm_template' : 'import_iso', id)
      await stopAll(next)
    }
    const last = aWorker(null)
    const expected = await whole(place, await begin(place))
    for (const { name, id, uid } of lives) {
      expect([name, await endState(place, id)]).toEqual([name, name.includes('delete') ? expected[1] : expected[0]])
      if (uid === null) continue
      const { metadata } = (await place.world.cluster.call(volumePath(place, id))).body
      expect([name, metadata.uid]).toEqual([name, uid])
    }
    await stopAll(last)
  }, 300_000)
})

test('every kind of operation has a file of fault tests that knows its steps', () => {
  const ofVms = ['deploy_vm', 'start_vm', 'stop_vm', 'delete_vm']
  const known: readonly string[] = ['create_tenant', 'delete_tenant', ...ofVms, ...kindsHere]
  expect(Object.keys(operationKinds).filter((kind) => !known.includes(kind))).toEqual([])
})
