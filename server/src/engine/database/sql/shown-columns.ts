import { type AliasedExpression } from 'kysely'

type Column = string | AliasedExpression<unknown, string>
type Columns = readonly Column[]

interface Parts<Usual extends Columns, Rarer extends Readonly<Record<string, Columns>>> {
  /** What nearly every list shows, and what it is ordered by. */
  usual: Usual
  /**
   * What takes a look into another table, or is asked of a single row mostly. In groups, so that
   * few statements serve all lists.
   */
  rarer: Rarer
  /**
   * What is one thing for all rows of one tenant: looked up once and not for each. Binds to the
   * slot `ownTenant`.
   */
  own?: Readonly<Record<string, Columns>>
}

/** Which columns of a table are read: those that somebody asked for. */
interface ShownColumns<One extends Column> {
  readonly all: readonly One[]
  /**
   * The groups that rows with these fields need; all of them where that is not known. They name the
   * statement that is kept.
   */
  groupsFor(selected: ReadonlySet<string> | null): readonly string[]
  /** What nobody asked for is not there, and nobody looks for it. */
  columns(groups: readonly string[], where: { ofOneTenant: boolean }): readonly One[]
}

export function shownColumns<
  const Usual extends Columns,
  const Rarer extends Readonly<Record<string, Columns>>,
>({
  usual,
  rarer,
  own = {},
}: Parts<Usual, Rarer>): ShownColumns<Usual[number] | Rarer[keyof Rarer][number]> {
  type One = Usual[number] | Rarer[keyof Rarer][number]
  const groups = Object.keys(rarer)
  const fields = new Map(groups.map((group) => [group, (rarer[group] ?? []).map(fieldOf)]))
  const ofOne = { ...rarer, ...own }
  return {
    // The groups are those of the record that the type names.
    all: [...usual, ...groups.flatMap((group) => rarer[group] ?? [])] as One[],
    groupsFor: (selected) =>
      groups.filter(
        (group) => selected === null || fields.get(group)?.some((name) => selected.has(name)),
      ),
    // Some of what is shown, in no order that anybody relies on; a tenant's own columns have the
    // aliases of those that they stand for.
    columns: (wanted, { ofOneTenant }) => {
      const groups = ofOneTenant ? ofOne : rarer
      // An alias of a tenant's own column stands for the column itself.
      return [...usual, ...wanted.flatMap((group) => groups[group] ?? [])] as One[]
    },
  }
}

// An alias that is an expression names no field, and nothing here has one.
const fieldOf = (column: Column): string =>
  typeof column === 'string'
    ? column.slice(column.lastIndexOf(' ') + 1)
    : typeof column.alias === 'string'
      ? column.alias
      : ''
