import { expect, test } from 'vitest'
import { vpcDeleteRefusal } from './rules.ts'

const vpc = { name: 'shop', isDefault: false }
const web = { name: 'web', isDeleting: false }
const old = { name: 'old', isDeleting: true }

test.each([
  { networks: [web, old], isTransient: false, because: 'a user must delete one of them' },
  { networks: [old], isTransient: true, because: 'all of them are being deleted' },
])(
  'the refusal to delete a VPC with networks is transient: $isTransient, because $because',
  ({ networks, isTransient }) => {
    const refusal = vpcDeleteRefusal(vpc, { networks, vms: [] })
    expect(refusal).toMatchObject({ code: 'in_use', isTransient })
    expect(refusal?.message).toContain(networks.map(({ name }) => name).join(', '))
  },
)

test('a VPC without further networks and VMs can be deleted', () => {
  expect(vpcDeleteRefusal(vpc, { networks: [], vms: [] })).toBeNull()
})
