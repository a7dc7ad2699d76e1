import { coreKinds } from '../kinds/core.ts'
import { kubevirtKinds } from '../kinds/kubevirt.ts'
import { platformKinds } from '../kinds/platform.ts'
import { volumeKinds } from '../kinds/volumes.ts'
import { type Resource, resourceName } from './resource.ts'

const rows: readonly Resource[] = [...coreKinds, ...platformKinds, ...kubevirtKinds, ...volumeKinds]

const byPath = new Map(rows.map((row) => [`${row.group}/${row.version}/${row.plural}`, row]))
const byName = new Map(rows.map((row) => [resourceName(row), row]))

export const registry = {
  all: rows,
  find: (group: string, version: string, plural: string): Resource | undefined => byPath.get(`${group}/${version}/${plural}`),
  has: (name: string): boolean => byName.has(name),
  named: (name: string): Resource => {
    const row = byName.get(name)
    if (!row) throw new TypeError(`no such resource: ${name}`)
    return row
  },
}
