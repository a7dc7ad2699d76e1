import { expect, test } from 'vitest'
import { anonymous } from '../../server/src/domain/identity/viewer.ts'
import { systemClock } from '../../server/src/runtime/clock.ts'
import { createLog } from '../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../server/src/runtime/seal.ts'
import { Secret } from '../../server/src/runtime/secret.ts'
import { openDatabase } from '../../server/src/store/orm.ts'
import { storeOn } from '../../server/src/store/store.ts'
import { serviceOfferingView } from '../../server/src/store/service-offering.ts'
import { aDatabase } from '../support/postgres.ts'

test('a write is committed with its books', async () => {
  const db = await aDatabase()
  const database = await openDatabase({ url: db.url, log: createLog('info') })
  const store = storeOn({ database, clock: systemClock, seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers') })
  const viewer = { ...anonymous, role: 'root' as const, permissions: new Set(['*']) }
  const write = { scope: 'platform' as const, call: { viewer, operation: 'createServiceOffering', requestId: 'r', address: '' }, idempotency: { key: 'k', bodyHash: Buffer.from('b') } }
  const act = () => store.write(write, async (op) => {
    const offering = op.serviceOfferings.add({ name: 'small', displayName: 'Small', cpu: 1, memoryMi: 1024, dedicatedCpu: false })
    await op.flush()
    op.changes.note('service_offering', { ...offering, tenantId: null })
    op.audit.about('service_offering', { ...offering, tenantId: null })
    return { serviceOffering: serviceOfferingView(offering) }
  })
  const first = await act()
  const again = await act()
  expect(again).toEqual(first)
  const tenant = await store.write({ ...write, idempotency: null }, async (op) => {
    const t = op.tenants.add({ name: 'A', slug: 'a', namespace: 'a', description: '' })
    await op.flush()
    const o = op.operations.open({ tenantId: t.id, kind: 'create_tenant', targetKind: 'tenant', targetId: t.id, targetName: 'a', actorId: viewer.userId, actorName: 'root', steps: [], deadlineSeconds: 600, cancellable: false, requestId: 'r' })
    op.work.ring('tenant', { id: t.id, tenantId: t.id })
    await op.flush()
    return t.id
  })
  expect(await store.reads({ tenantId: tenant }).tenants.find(tenant)).toMatchObject({ slug: 'a' })
  const page = await store.reads('platform').tenants.list({ first: 1, after: null }, { sort: 'default', direction: 'asc' })
  expect(await store.reads('platform').tenants.list({ first: 1, after: page.cursor(0) }, { sort: 'default', direction: 'asc' })).toMatchObject({ nodes: [] })
  await expect(store.write({ ...write, idempotency: null }, async (op) => { op.tenants.add({ name: 'A', slug: 'a', namespace: 'a', description: '' }); await op.flush() })).rejects.toMatchObject({ code: 'already_exists' })
  await database.close()
})
