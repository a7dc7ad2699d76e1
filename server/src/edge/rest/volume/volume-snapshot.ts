import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { RequestBody, nameField } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { explanationField } from '../explanation.ts'
import { idFilter, stateFilter, usualFilters } from '../list-filters.ts'
import { namespaceField } from '../namespace-field.ts'

const { id, text, time, whole } = scalar

const states = oneOf('creating', 'ready', 'failed', 'lost', 'deleting')

const snapshot = new ResponseShape('VolumeSnapshot', {
  id,
  tenant_id: id,
  volume_id: id,
  name: text,
  namespace: text,
  'snapshot_uid?': { schema: text, from: 'clusterUid' },
  state: states,
  'explanation?': explanationField,
  size_gi: whole,
  storage_class: text,
  'schedule_id?': id,
  version: hidden,
  created_at: time,
})

const newSnapshot = new RequestBody({ volume_id: id, name: nameField(), ...namespaceField })

const snapshots = new NounRoutes({
  tag: 'Snapshots',
  path: '/api/v1/snapshots',
  type: 'VolumeSnapshot',
  shape: snapshot,
})

export const volumeSnapshotRoutes: RestRoute[] = [
  snapshots.list('List the snapshots of volumes', {
    filters: {
      ...usualFilters,
      ...stateFilter(states),
      ...idFilter('volume_id', 'Only snapshots of this volume.'),
    },
  }),
  snapshots.get('Get a snapshot'),
  snapshots.create('Take a snapshot of a volume', { body: newSnapshot, startsOperation: true }),
  snapshots.delete('Delete a snapshot; volumes created from it remain', { startsOperation: true }),
]
