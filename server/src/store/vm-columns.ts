import { sql } from 'kysely'
import { nicsOfRow } from './nic-reads.ts'
import { slot } from './statement.ts'
import { busyWith } from './vm-busy.ts'

/** What nearly every list shows. */
const usual = [
  ...(['id', 'name', 'state', 'explanation', 'cpu', 'image', 'ip', 'tags', 'version'] as const),
  ...(['tenant_id as tenantId', 'display_name as displayName', 'state_since as stateSince', 'wanted_power as wantedPower'] as const),
  ...(['memory_mi as memoryMi', 'dedicated_cpu as dedicatedCpu', 'service_offering_id as serviceOfferingId'] as const),
  ...(['template_id as templateId', 'template_name as templateName'] as const),
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** What takes a look into another table, or is asked of a single machine mostly. Together, so that few statements serve all lists. */
const rarer = {
  offering: [sql<string | null>`(select name from service_offering where id = vm.service_offering_id)`.as('serviceOfferingName')],
  place: [
    sql<string>`(select slug from tenant where id = vm.tenant_id)`.as('tenantSlug'),
    sql<string>`(select namespace from tenant where id = vm.tenant_id)`.as('namespace'),
  ],
  nic: [sql<string>`(select mac from nic where vm_id = vm.id and free_at is null order by ordinal limit 1)`.as('mac')],
  nics: nicsOfRow,
  busy: [busyWith.as('busyWith')],
  detail: [
    ...(['source_type as sourceType', 'secure_boot as secureBoot', 'os_type as osType', 'root_disk as rootDisk'] as const),
    ...(['boot_disk_size_gi as bootDiskSizeGi', 'storage_class as storageClass', 'disk_progress as diskProgress'] as const),
    ...(['guest_os as guestOs', 'delete_protection as deleteProtection', 'restart_required as restartRequired'] as const),
    'iso_inserted as isoInserted',
  ],
} as const

type Rarer = keyof typeof rarer

// Written above.
const groups = Object.keys(rarer) as Rarer[]

/** Of one that has just been made: what belongs to it comes after it. */
export const shownOfNewVm = [...usual, ...rarer.offering, ...rarer.place, ...rarer.busy, ...rarer.detail] as const

export const shownOfVm = [...shownOfNewVm, ...rarer.nic] as const

type ShownWithNics = readonly [...typeof shownOfVm, ...typeof rarer.nics]

// One tenant's machines are all in one place, which is looked up once and not for each.
const ownPlace: typeof rarer.place = [
  sql<string>`(select slug from tenant where id = ${slot('ownTenant')})`.as('tenantSlug'),
  sql<string>`(select namespace from tenant where id = ${slot('ownTenant')})`.as('namespace'),
]

const fieldsOf: Readonly<Record<Rarer, readonly string[]>> = {
  offering: ['serviceOfferingName'],
  place: ['tenantSlug', 'namespace'],
  nic: ['mac'],
  nics: ['nics'],
  busy: ['busyWith'],
  detail: rarer.detail.map((column) => column.slice(column.lastIndexOf(' ') + 1)),
}

/** Which of the rarer columns a list with these fields needs; all of them where that is not known. It names the statement that is kept. */
export const rarerFor = (selected: ReadonlySet<string> | null): readonly Rarer[] =>
  groups.filter((group) => selected === null || fieldsOf[group].some((name) => selected.has(name)))

/** What nobody asked for is not there, and nobody looks for it. */
export function columnsWith(wanted: readonly Rarer[], { ofOneTenant }: { ofOneTenant: boolean }): ShownWithNics {
  const groups = ofOneTenant ? { ...rarer, place: ownPlace } : rarer
  // Some of what is shown, in no order that anybody relies on.
  return [...usual, ...wanted.flatMap((group): readonly unknown[] => groups[group])] as unknown as ShownWithNics
}
