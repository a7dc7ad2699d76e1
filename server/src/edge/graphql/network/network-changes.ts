import { rowChanges } from '../change/row-changes.ts'
import { Network } from './network-types.ts'

export const NetworkChangesResolver = rowChanges({
  name: 'networkChanged',
  type: () => Network,
  needs: ['networks:read'],
  kind: 'network',
  noun: 'network',
  description: 'The network as it is, and again each time that it has changed, until it is gone.',
  read: (reads, id) => reads.networks.find(id),
})
