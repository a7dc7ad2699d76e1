import { beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { type World, adminPassword, aWorld, unique } from '../../support/world/world.ts'

/* A cluster that grants as few calls a second as a real one, and ten tenants at once. */
let world: World
beforeAll(async () => {
  world = await aWorld({ config: (config) => void (config.cluster.callsPerSecond = 20) })
  await world.networksOpen()
})

/** Returns the number of calls that changed the cluster so far. */
async function writes(): Promise<number> {
  const { text } = await world.wire.send('GET', '/metrics')
  const lines = text.matchAll(
    /^berth_cluster_calls_total\{method="(?:PATCH|POST|DELETE)",kind="\w+"\} (\d+)$/gm,
  )
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('ten tenants that are created at once settle, and then nothing is written to the cluster', async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, () => {
      const slug = unique('t')
      return world.root.rest('POST', '/tenants', {
        body: { name: slug, slug, admin_password: adminPassword },
      })
    }),
  )
  for (const { body } of made)
    expect(await world.ended('create_tenant', body.tenant.id)).toMatchObject({ state: 'succeeded' })
  await world.networksOpen()
  let last = -1
  const isQuiet = async (): Promise<boolean> => {
    const before = last
    last = await writes()
    return last === before
  }
  await waitFor(isQuiet, { timeoutMs: 30_000, everyMs: 4_000, what: 'the writes to end' })
})
