import { expect, test } from 'vitest'
import { Fault } from '../model/fault.ts'
import { WriteSlots } from './write-slots.ts'

const atOnce = { sleep: () => Promise.resolve() }

test('a write that waited too long for a slot is refused with what to do', async () => {
  const slots = new WriteSlots({ total: 1, perTenant: 1 }, atOnce)
  const first = Promise.withResolvers<'done'>()
  const running = slots.run({ tenantId: 'acme' }, () => first.promise)
  const late = slots.run({ tenantId: 'acme' }, () => Promise.resolve())
  await expect(late).rejects.toSatisfy(
    (error) => error instanceof Fault && error.userMessage.key === 'request.writes_waiting',
  )
  first.resolve('done')
  await running
  expect(await slots.run({ tenantId: 'acme' }, () => Promise.resolve('done'))).toBe('done')
})
