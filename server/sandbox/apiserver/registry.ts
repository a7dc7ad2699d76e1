import { installedComponents } from '../components.ts'
import { componentKinds } from '../kinds/components.ts'
import { coreKinds } from '../kinds/core.ts'
import { kubevirtKinds } from '../kinds/kubevirt.ts'
import { otherBuiltIns, otherCustoms } from '../kinds/others.ts'
import { platformKinds } from '../kinds/platform.ts'
import { volumeKinds } from '../kinds/volumes.ts'
import { asTold } from './alias-words.ts'
import { type Resource, resourceName } from './resource.ts'

const installed = [...installedComponents()].flatMap((name) => componentKinds[name])

const rows: readonly Resource[] = [
  ...coreKinds,
  ...platformKinds,
  ...otherBuiltIns,
  ...kubevirtKinds,
  ...volumeKinds,
  ...otherCustoms,
  ...installed,
]

const versionsOf = ({ group, version, aliases = [] }: Resource): string[] => [
  `${group}/${version}`,
  ...aliases.map((alias) => `${alias.group ?? group}/${alias.version}`),
]

const byPath = new Map(
  rows.flatMap((row) =>
    versionsOf(row).map((version) => [`${version}/${row.plural}`, row] as const),
  ),
)
const byName = new Map(rows.map((row) => [resourceName(row), row]))

/** Kinds as other groups tell them. */
const elsewhere = rows.flatMap((row) =>
  (row.aliases ?? []).flatMap((alias) => (alias.group === undefined ? [] : [asTold(row, alias)])),
)

export const registry = {
  all: rows,
  /** With those that are told by another group too. */
  told: [...rows, ...elsewhere] as readonly Resource[],
  find: (group: string, version: string, plural: string): Resource | undefined =>
    byPath.get(`${group}/${version}/${plural}`),
  has: (name: string): boolean => byName.has(name),
  named: (name: string): Resource => {
    const row = byName.get(name)
    if (!row) throw new TypeError(`no such resource: ${name}`)
    return row
  },
}
