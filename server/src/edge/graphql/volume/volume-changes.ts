import { rowChanges } from '../change/row-changes.ts'
import { Volume } from './volume-types.ts'

export const VolumeChangesResolver = rowChanges({
  name: 'volumeChanged',
  type: () => Volume,
  needs: ['volumes:read'],
  kind: 'volume',
  noun: 'volume',
  description: 'The volume as it is, and again each time that it has changed, until it is gone.',
  read: (reads, id) => reads.volumes.find(id),
})
