import { sql } from 'kysely'
import { nicsOfRow } from '../nic/nic-reads.ts'
import { ownPlace, placeOf } from '../tenant/namespace-of.ts'
import { shownColumns } from '../../engine/database/sql/shown-columns.ts'
import { slot } from '../../engine/database/sql/statement.ts'
import { busyWith } from './vm-busy.ts'

const usual = [
  ...(['id', 'name', 'state', 'explanation', 'cpu', 'image', 'ip', 'tags', 'version'] as const),
  ...([
    'tenant_id as tenantId',
    'display_name as displayName',
    'state_since as stateSince',
    'wanted_power as wantedPower',
  ] as const),
  ...([
    'memory_mi as memoryMi',
    'dedicated_cpu as dedicatedCpu',
    'service_offering_id as serviceOfferingId',
  ] as const),
  ...(['template_id as templateId', 'template_name as templateName'] as const),
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/**
 * Those that it is seen with come first, then those that were given to it and that nothing in its
 * guest tells of.
 */
const addresses = sql<string[]>`array(
  select address from (
    select seen ->> 'ip' as address, place from json_array_elements(vm.seen_nics) with ordinality as of_vm (seen, place)
    union all
    select host(nic.address), 100 + nic.ordinal from nic where nic.vm_id = vm.id and nic.free_at is null
  ) as one
  where address is not null group by address order by min(place)
)`

const rarer = {
  offering: [
    sql<string | null>`(select name from service_offering where id = vm.service_offering_id)`.as(
      'serviceOfferingName',
    ),
  ],
  place: [
    sql<string>`(select slug from tenant where id = vm.tenant_id)`.as('tenantSlug'),
    placeOf('vm'),
  ],
  nic: [
    sql<string>`(select mac from nic where vm_id = vm.id and free_at is null order by ordinal limit 1)`.as(
      'mac',
    ),
  ],
  nics: nicsOfRow,
  addresses: [addresses.as('addresses')],
  busy: [busyWith.as('busyWith')],
  detail: [
    ...([
      'source_type as sourceType',
      'secure_boot as secureBoot',
      'os_type as osType',
      'root_disk as rootDisk',
    ] as const),
    ...([
      'boot_disk_size_gi as bootDiskSizeGi',
      'storage_class as storageClass',
      'disk_progress as diskProgress',
    ] as const),
    ...([
      'guest_os as guestOs',
      'delete_protection as deleteProtection',
      'restart_required as restartRequired',
    ] as const),
    'iso_inserted as isoInserted',
  ],
} as const

export const vmColumns = shownColumns({
  usual,
  rarer,
  own: {
    place: [
      sql<string>`(select slug from tenant where id = ${slot('ownTenant')})`.as('tenantSlug'),
      ownPlace,
    ],
  },
})

/** Of one that has just been made: what belongs to it comes after it. */
export const shownOfNewVm = [
  ...usual,
  ...rarer.offering,
  ...rarer.place,
  ...rarer.busy,
  ...rarer.detail,
] as const

export const shownOfVm = [...shownOfNewVm, ...rarer.nic, ...rarer.addresses] as const
