import { expect, test } from 'vitest'
import { detachRefusal } from './change.ts'
import { type NicState } from './nic.ts'

const nic = (id: string, more: { networkId?: string | null; state?: NicState } = {}) => ({
  id,
  networkId: `net-${id}`,
  state: 'connected' as const,
  ...more,
})
const pod = nic('pod', { networkId: null })

test.each([
  { because: 'another one is left', nics: [pod, nic('one')], of: nic('one'), refused: false },
  {
    because: 'one that comes with the next start is another one',
    nics: [nic('one'), nic('two', { state: 'waiting' })],
    of: nic('one'),
    refused: false,
  },
  {
    because: 'nothing leads back to the network of the platform',
    nics: [pod, nic('one')],
    of: pod,
    refused: true,
  },
  {
    because: 'it is asked for already',
    nics: [pod, nic('one', { state: 'leaving' })],
    of: nic('one', { state: 'leaving' }),
    refused: true,
  },
  { because: 'a VM without a NIC is of no use', nics: [nic('one')], of: nic('one'), refused: true },
  {
    because: 'the other one goes as well',
    nics: [nic('one'), nic('two', { state: 'leaving' })],
    of: nic('one'),
    refused: true,
  },
])('whether a NIC can be taken out: $because', ({ nics, of, refused }) => {
  expect(detachRefusal(nics, of) !== null).toBe(refused)
})
