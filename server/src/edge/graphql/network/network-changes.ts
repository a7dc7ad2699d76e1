import { rowChanges } from '../change/row-changes.ts'
import { Network } from './network-types.ts'

export const NetworkChangesResolver = rowChanges({
  name: 'networkChanged',
  type: () => Network,
  needs: ['networks:read'],
  kind: 'network',
  noun: 'network',
  description: 'Sends the network now and after each change, until it is deleted.',
  read: (reads, id) => reads.networks.find(id),
})
