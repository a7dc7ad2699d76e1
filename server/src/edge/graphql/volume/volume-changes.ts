import { rowChanges } from '../change/row-changes.ts'
import { Volume } from './volume-types.ts'

export const VolumeChangesResolver = rowChanges({
  name: 'volumeChanged',
  type: () => Volume,
  needs: ['volumes:read'],
  kind: 'volume',
  noun: 'volume',
  description: 'Sends the volume now and after each change, until it is deleted.',
  read: (reads, id) => reads.volumes.find(id),
})
