import { expect, test } from 'vitest'
import { requirePublicNetwork } from '../network/public-network.ts'
import { mustBeJoinable } from './rules.ts'

const network = { name: 'web', cidr: '10.1.2.0/24', stateReason: null }

test.each([
  { purpose: 'new_vm', state: 'deleting', remedy: 'choose another network.' },
  { purpose: 'attachment', state: 'failed', remedy: 'Choose another network.' },
  { purpose: 'clone', state: 'deleting', remedy: 'without keeping the mac and the ip' },
  { purpose: 'clone', state: 'failed', remedy: 'without keeping the mac and the ip' },
] as const)(
  'a $state network is refused with a remedy that a request for a $purpose has',
  ({ purpose, state, remedy }) => {
    expect(() => mustBeJoinable({ ...network, state }, { podNetwork: false, purpose })).toThrow(
      remedy,
    )
  },
)

test.each([
  { purpose: 'new_vm', remedy: 'use the cluster network or private networks' },
  { purpose: 'attachment', remedy: 'attach it to a private network' },
  { purpose: 'clone', remedy: 'without keeping the mac and the ip' },
] as const)(
  'a missing public network is refused with a remedy that a request for a $purpose has',
  ({ purpose, remedy }) => {
    expect(() => requirePublicNetwork(null, purpose)).toThrow(remedy)
  },
)
