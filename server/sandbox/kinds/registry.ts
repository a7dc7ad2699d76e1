import { type ComponentName } from '../components.ts'
import { componentKinds } from './components.ts'
import { coreKinds } from './core.ts'
import { kubevirtKinds } from './kubevirt.ts'
import { otherBuiltInKinds, otherCustomKinds } from './other-kinds.ts'
import { platformKinds } from './platform.ts'
import { volumeKinds } from './volumes.ts'
import { servedAs } from './alias-names.ts'
import { type Resource, resourceName } from '../objects/resource.ts'

const versionsOf = ({ group, version, aliases = [] }: Resource): string[] => [
  `${group}/${version}`,
  ...aliases.map((alias) => `${alias.group ?? group}/${alias.version}`),
]

/** One row for each other API group that serves the kind. */
const inOtherGroups = (row: Resource): Resource[] =>
  (row.aliases ?? []).flatMap((alias) => (alias.group === undefined ? [] : [servedAs(row, alias)]))

/** The kinds of a cluster, found by path or by name. */
export class Registry {
  /** The stored kinds, each once. */
  readonly all: readonly Resource[]
  /** The stored kinds, and one more row for each other API group that serves one of them. */
  readonly served: readonly Resource[]
  readonly #byPath: ReadonlyMap<string, Resource>
  readonly #byName: ReadonlyMap<string, Resource>

  constructor(rows: readonly Resource[]) {
    this.all = rows
    this.served = [...rows, ...rows.flatMap(inOtherGroups)]
    this.#byPath = new Map(
      rows.flatMap((row) =>
        versionsOf(row).map((version) => [`${version}/${row.plural}`, row] as const),
      ),
    )
    this.#byName = new Map(rows.map((row) => [resourceName(row), row]))
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  named(name: string): Resource {
    const row = this.#byName.get(name)
    if (!row) throw new TypeError(`the registry has no resource ${name}`)
    return row
  }
}

const inEveryCluster: readonly Resource[] = [
  ...coreKinds,
  ...platformKinds,
  ...otherBuiltInKinds,
  ...kubevirtKinds,
  ...volumeKinds,
  ...otherCustomKinds,
]

/** The kinds of a cluster without optional components, which every cluster has. */
export const registry = new Registry(inEveryCluster)

/** Returns the kinds of a cluster with these optional components. */
export const registryWith = (components: readonly ComponentName[]): Registry =>
  new Registry([...inEveryCluster, ...components.flatMap((name) => componentKinds[name])])
