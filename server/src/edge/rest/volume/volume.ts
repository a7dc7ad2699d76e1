import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { type RestRoute, defaultWaitSeconds } from '../../../engine/rest/route.ts'
import { idFilter, stateFilter, usualFilters } from '../list-filters.ts'
import { newVolume, volume, volumeChange, volumeStates } from './volume-shape.ts'

const volumes = new NounRoutes({
  tag: 'Volumes',
  path: '/api/v1/volumes',
  type: 'Volume',
  shape: volume,
})

export const volumeRoutes: RestRoute[] = [
  volumes.list('List the volumes of the tenant', {
    filters: {
      ...usualFilters,
      ...stateFilter(volumeStates),
      ...idFilter('vm_id', 'Only volumes of this VM.'),
    },
  }),
  volumes.get('Get a volume'),
  volumes.create('Create a volume, empty or from a snapshot', {
    body: newVolume,
    startsOperation: true,
    defaultWaitSeconds,
  }),
  volumes.update('Rename a volume, or make it larger', {
    body: volumeChange,
    startsOperation: true,
  }),
  volumes.delete('Delete a volume and its data; its snapshots remain', { startsOperation: true }),
]
