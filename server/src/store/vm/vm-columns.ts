import { sql } from 'kysely'
import { type NicRow } from '../../domain/nic/nic.ts'
import { type ObservedAddress } from '../../domain/vm/observed.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { nicsOfRow } from '../nic/nic-reads.ts'
import { ownNamespace, namespaceOf } from '../tenant/namespace-of.ts'
import { shownColumns } from '../../engine/database/sql/shown-columns.ts'
import { slot } from '../../engine/database/sql/statement.ts'
import { busyWith } from './vm-busy.ts'
import { VmSchema } from './vm-entity.ts'
import { startRequested } from './vm-start.ts'

/** Observed addresses come first, then the assigned ones that the guest does not report. */
const addresses = sql<string[]>`array(
  select address from (
    select observed ->> 'ip' as address, rank from json_array_elements(vm.observed_nics) with ordinality as of_vm (observed, rank)
    union all
    select host(nic.address), 100 + nic.ordinal from nic where nic.vm_id = vm.id and nic.free_at is null
  ) as one
  where address is not null group by address order by min(rank)
)`

/**
 * A VM as it is read from the database. Its NIC rows become the NICs of the view when they were
 * read.
 */
export type VmListRow = Omit<VmView, 'nics'> & {
  nics: NicRow[]
  observedNics: ObservedAddress[] | null
  areNicsLive: boolean
}

export const vmColumns = shownColumns<VmListRow>()(VmSchema, 'vm', {
  usual: [
    'id',
    'name',
    'state',
    'explanation',
    'cpu',
    'image',
    'ip',
    'host',
    'tags',
    'version',
    'tenantId',
    'displayName',
    'stateSince',
    'wantedPower',
    'memoryMi',
    'dedicatedCpu',
    'serviceOfferingId',
    'templateId',
    'templateName',
    sql<boolean>`delete_requested_at is not null`.as('deleting'),
    'createdAt',
    'updatedAt',
  ],
  rarer: {
    offering: [
      sql<string | null>`(select name from service_offering where id = vm.service_offering_id)`.as(
        'serviceOfferingName',
      ),
    ],
    namespace: [
      sql<string>`(select slug from tenant where id = vm.tenant_id)`.as('tenantSlug'),
      namespaceOf('vm'),
    ],
    nic: [
      sql<string>`(select mac from nic where vm_id = vm.id and free_at is null order by ordinal limit 1)`.as(
        'mac',
      ),
    ],
    nics: nicsOfRow,
    addresses: [addresses.as('addresses')],
    busy: [busyWith.as('busyWith')],
    power: [startRequested.as('startRequested')],
    detail: [],
  },
  own: {
    namespace: [
      sql<string>`(select slug from tenant where id = ${slot('ownTenant')})`.as('tenantSlug'),
      ownNamespace,
    ],
  },
  // These are never shown: `userData` may hold passwords.
  internal: [
    'imagePullPolicy',
    'isoClaim',
    'isoSizeGi',
    'hostname',
    'copiedFrom',
    'copyObject',
    'adoptedUid',
    'rootClaim',
    'firmwareUuid',
    'userData',
    'vmiCommand',
    'vmiCommandUid',
    'forced',
    'generation',
    'restoreId',
    'restoreSnapshotId',
    'restoreSafetyId',
    'deleteRequestedAt',
    'nicsLiveUntil',
    'stays',
    'vmiUid',
    'clusterUid',
    'diskUid',
    'isoUid',
    'keepsGuestState',
    'secretUid',
    'appliedGeneration',
    'restoreFormer',
    'restoreBegunId',
    'restoredId',
    'failedAt',
    'failure',
    'settled',
    'observedVersion',
    'comparedGeneration',
    'observedAt',
    'goneAt',
  ],
})

/** Columns of a new VM, whose NICs are inserted after it. */
export const newVmViewColumns = vmColumns.without('nic', 'nics', 'addresses')

export const vmViewColumns = vmColumns.without('nics')
