import { sql } from 'kysely'
import { type VolumeState } from '../../domain/volume/state.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import {
  byCreation,
  byNameOrAge,
  type NamedQuery,
  listReads,
  byId,
  byStates,
} from '../../engine/database/sql/list-reads.ts'
import { VolumeSchema } from './volume-entity.ts'
import { ownNamespace, namespaceOf } from '../tenant/namespace-of.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { shownColumns } from '../../engine/database/sql/shown-columns.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

export interface VolumeQuery extends NamedQuery {
  states?: readonly VolumeState[] | null
  vmId?: string | null
}

const shown = shownColumns<VolumeView>()(VolumeSchema, 'volume', {
  usual: ['id', 'name', 'state', 'version', 'tenantId', 'sizeGi', 'vmId', 'createdAt'],
  rarer: {
    namespace: [namespaceOf('volume')],
    detail: [sql<boolean>`delete_requested_at is not null`.as('deleting')],
  },
  own: { namespace: [ownNamespace] },
  internal: [
    'snapshotGi',
    'copiedFrom',
    'copyObject',
    'copiedGi',
    'deleteRequestedAt',
    'grownGi',
    'bytesPerGi',
    'clusterUid',
    'failedAt',
    'settled',
    'observedVersion',
    'observedAt',
    'goneAt',
  ],
})

/** Columns of the view, which an insert returns as well. */
export const volumeViewColumns = shown.all

export class VolumeReads extends listReads<'volume', VolumeView, VolumeQuery>({
  stem: 'volume',
  tenantColumn: 'tenant_id',
  groupsFor: shown.groupsFor,
  rows: (db, groups, where) => db.selectFrom('volume').select(shown.columns(groups, where)),
  counted: (db) => db.selectFrom('volume').select(countAll),
  found: contains('name'),
  narrowedBy: { ...byCreation, states: byStates(), vmId: byId('vm_id', 'vmId') },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {
  /** Returns the volumes that should be attached to any of these VMs, in order of creation. */
  attachedTo(vmIds: readonly string[]): Promise<VolumeView[]> {
    const attached = statement('volume.attachedTo', (db) =>
      db
        .selectFrom('volume')
        .select(volumeViewColumns)
        .where('gone_at', 'is', null)
        .where(sql<boolean>`vm_id = any(${slot('vmIds')})`)
        .orderBy('created_at')
        .orderBy('id'),
    )
    return this.reader.all(attached, { vmIds })
  }

  /** Returns the volumes that a VM has not released. */
  heldBy(vmId: string): Promise<VolumeView[]> {
    const held = statement('volume.heldBy', (db) =>
      db
        .selectFrom('volume')
        .select(volumeViewColumns)
        .where('gone_at', 'is', null)
        .where('held_by', '=', slot<string>('vmId')),
    )
    return this.reader.all(held, { vmId })
  }
}
