import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../server/src/domain/operation/kind.ts'
import { type FailpointPlan, planFailpoints } from '../../server/src/runtime/failpoint.ts'
import { waitFor } from '../support/wait-for.ts'
import { type World, aWorld, adminPassword, unique } from '../support/world.ts'
import { type Json } from '../support/json.ts'

const kindsHere = ['create_tenant', 'delete_tenant'] as const
const workerEntry = fileURLToPath(new URL('../support/world-worker.ts', import.meta.url))

/** What is left of a tenant's life, without what differs from life to life. */
async function endState(world: World, id: string): Promise<unknown> {
  const [tenant] = await world.database.sql(
    `select slug, state, state_reason, namespace, gone_at is not null as gone, cluster_uid is not null as bound from tenant where id = '${id}'`,
  )
  const operations = await world.database.sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  const people = await world.database.sql(`select count(*)::int as n from user_account where tenant_id = '${id}'`)
  const namespace = (await world.cluster.call(`/api/v1/namespaces/${String(tenant?.namespace)}`)).body
  return {
    ...tenant,
    slug: '',
    namespace: namespace.metadata.name ? Object.keys(namespace.metadata.labels ?? {}).sort() : null,
    people: people[0]?.n,
    operations: operations.map(({ steps, ...operation }) => ({
      ...operation,
      steps: (steps as Json[]).map(({ name, state }) => `${name} ${state}`),
    })),
  }
}

async function create(world: World): Promise<string> {
  const made = await world.root.rest('POST', '/tenants', { body: { slug: unique('steps'), admin_password: adminPassword } })
  return made.body.tenant.id
}

async function whole(world: World, id: string, { onDelete }: { onDelete: () => void }): Promise<unknown[]> {
  await world.ended('create_tenant', id)
  const alive = await endState(world, id)
  onDelete()
  await world.root.rest('DELETE', `/tenants/${id}`)
  await world.ended('delete_tenant', id)
  return [alive, await endState(world, id)]
}

describe('each step of a tenant’s operations', () => {
  let world: World
  let expected: unknown[]
  const seen = new Set<string>()
  beforeAll(async () => {
    world = await aWorld()
    planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
    expected = await whole(world, await create(world), { onDelete: () => undefined })
  })
  afterEach(() => planFailpoints(null))

  test('has a failpoint before and after it, named as in the registry', () => {
    expect([...seen].sort()).toEqual(
      allStepPoints(kindsHere)
        .flatMap((name) => [`${name} after`, `${name} before`])
        .sort(),
    )
    expect(expected).toMatchObject([
      { state: 'active', people: 1, bound: true },
      { gone: true, people: 0, namespace: null },
    ])
  })

  const troubles = allStepPoints(kindsHere).flatMap((at) => [
    { at, where: 'before', do: 'error', nth: 1 } as const,
    { at, where: 'after', do: 'error', nth: 1 } as const,
    { at, where: 'before', do: 'repeat' } as const,
  ])
  test.each(troubles)('that meets trouble ends as if there had been none: $at $where $do', async (rule) => {
    let strikes = 0
    const plan: FailpointPlan = { rules: [rule], seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0) }
    planFailpoints(plan)
    expect(await whole(world, await create(world), { onDelete: () => undefined })).toEqual(expected)
    // An error is met once and the step is taken again; a step taken twice is one arrival.
    expect(strikes).toBeGreaterThanOrEqual(rule.do === 'error' && rule.where === 'before' ? 2 : 1)
  })
})

describe('a worker that is killed at a step', () => {
  let world: World
  let expected: unknown[]
  const running = new Set<() => void>()

  /** A worker process; resolves when it is gone. */
  const aWorker = (failpoints: FailpointPlan | null): Promise<string> => {
    const { dir } = world.config.data
    const plan = JSON.stringify({
      url: world.config.database.url?.reveal(),
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
  // A lease of the dead is waited for elsewhere (ten seconds each); here it has run out.
  const expireLeases = () => world.database.sql(`update work set lease_until = now() - interval '1 second' where lease_until is not null`)

  beforeAll(async () => {
    world = await aWorld({ worker: false })
  })
  afterAll(() => running.forEach((kill) => kill()))

  const kills = allStepPoints(kindsHere).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where, do: 'kill', nth: 1 }) as const),
  )

  test('leaves nothing that the next one does not finish, before and after every step', async () => {
    const ids = new Map<string, string>()
    for (const rule of kills) {
      const id = await create(world)
      ids.set(`${rule.where} ${rule.at}`, id)
      if (rule.at.startsWith('delete')) {
        const settled = aWorker(null)
        await world.ended('create_tenant', id)
        running.forEach((kill) => kill())
        await settled
        await expireLeases()
        await world.root.rest('DELETE', `/tenants/${id}`)
      }
      expect([rule, await aWorker({ rules: [rule] })]).toEqual([rule, 'SIGKILL'])
      await expireLeases()
      // The others are settled first, so that the next rule strikes its own tenant.
      const settled = aWorker(null)
      await waitFor(async () => (await world.database.sql(`select 1 from operation where finished_at is null`)).length === 0, {
        timeoutMs: 12_000,
        what: `the operations after a kill ${rule.where} ${rule.at}`,
      })
      running.forEach((kill) => kill())
      await settled
      await expireLeases()
    }
    const last = aWorker(null)
    expected = await whole(world, await create(world), { onDelete: () => undefined })
    for (const [name, id] of ids)
      expect([name, await endState(world, id)]).toEqual([name, name.includes('delete') ? expected[1] : expected[0]])
    running.forEach((kill) => kill())
    await last
  }, 300_000)
})
