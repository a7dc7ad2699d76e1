import { type ComponentName } from '../components.ts'
import { componentKinds } from './components.ts'
import { coreKinds } from './core.ts'
import { kubevirtKinds } from './kubevirt.ts'
import { otherBuiltIns, otherCustoms } from './others.ts'
import { platformKinds } from './platform.ts'
import { volumeKinds } from './volumes.ts'
import { asTold } from './alias-words.ts'
import { type Resource, resourceName } from '../objects/resource.ts'

const versionsOf = ({ group, version, aliases = [] }: Resource): string[] => [
  `${group}/${version}`,
  ...aliases.map((alias) => `${alias.group ?? group}/${alias.version}`),
]

/** The kind as each of the other groups that serve it describes it. */
const inOtherGroups = (row: Resource): Resource[] =>
  (row.aliases ?? []).flatMap((alias) => (alias.group === undefined ? [] : [asTold(row, alias)]))

/** The kinds that a cluster stores. */
export class Registry {
  readonly all: readonly Resource[]
  /** The kinds with those rows that other groups serve too. */
  readonly told: readonly Resource[]
  readonly #byPath: ReadonlyMap<string, Resource>
  readonly #byName: ReadonlyMap<string, Resource>

  constructor(rows: readonly Resource[]) {
    this.all = rows
    this.told = [...rows, ...rows.flatMap(inOtherGroups)]
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
    if (!row) throw new TypeError(`no such resource: ${name}`)
    return row
  }
}

const inEveryCluster: readonly Resource[] = [
  ...coreKinds,
  ...platformKinds,
  ...otherBuiltIns,
  ...kubevirtKinds,
  ...volumeKinds,
  ...otherCustoms,
]

/** The kinds of a cluster without optional components: enough to name a kind of every cluster. */
export const registry = new Registry(inEveryCluster)

/** The kinds of a cluster with these components. */
export const registryWith = (components: readonly ComponentName[]): Registry =>
  new Registry([...inEveryCluster, ...components.flatMap((name) => componentKinds[name])])
