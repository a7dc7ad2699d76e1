import { type EntitySchema } from '@mikro-orm/core'
import { type AliasedExpression, type AliasedRawBuilder, type Selectable } from 'kysely'
import { type Tables } from '../../model/registry.ts'
import { columnOf } from './columns-from.ts'
import { type PropertyOf } from './insert-into.ts'

type Column = string | AliasedExpression<unknown, string>
type Columns = readonly Column[]
type Groups = Readonly<Record<string, Columns>>

/** A row under the property names of its entity. */
type RowOf<Table extends keyof Tables> = {
  [Name in keyof Selectable<Tables[Table]> as PropertyOf<Name>]: Selectable<Tables[Table]>[Name]
}
type FieldOf<One> = One extends AliasedExpression<unknown, infer Alias> ? Alias : One

/** The columns of a view, each with the name and the type of its field. */
type ColumnFor<View> = {
  [Field in keyof View & string]: AliasedRawBuilder<View[Field], Field>
}[keyof View & string]

interface Parts<Usual extends Columns, Rarer extends Groups, Internal extends readonly string[]> {
  /** Columns that nearly every list shows, and sort columns. */
  usual: Usual
  /**
   * Columns that need another table, or are mostly read for a single row. Groups keep the number of
   * statements small. Properties that are named nowhere join the group `detail`.
   */
  rarer: Rarer
  /**
   * Columns that are the same for all rows of one tenant, and are looked up once. They bind to the
   * slot `ownTenant`.
   */
  own?: Groups
  /** Properties that are not in the view and are never shown. */
  internal: Internal
}

/** Selects the columns of a table to read, from the requested fields. */
interface ShownColumns<View, Rarer extends Groups> {
  readonly all: readonly ColumnFor<View>[]
  /**
   * Returns the groups that these fields need, or all groups when the fields are unknown. Their
   * names are part of the name of the cached statement.
   */
  groupsFor(selected: ReadonlySet<string> | null): readonly string[]
  /** Returns the columns of the groups. Columns of other groups are not read. */
  columns(groups: readonly string[], where: { ofOneTenant: boolean }): readonly ColumnFor<View>[]
  /** Returns all columns except those of the groups. */
  without<Group extends keyof Rarer & string>(
    ...groups: readonly Group[]
  ): readonly ColumnFor<Omit<View, FieldOf<Rarer[Group][number]> & string>>[]
}

/**
 * Lists mistakes: a property that is neither in the view nor internal, a view field without a
 * column, or a column of another type. It is `never` when there is no mistake.
 */
type Mistake<Row, View, Computed, Internal> =
  | Exclude<keyof Row, keyof View | Internal>
  | Exclude<keyof View, keyof Row | Computed>
  | Exclude<Internal, Exclude<keyof Row, keyof View>>
  | {
      [Field in keyof Row & Exclude<keyof View, Computed>]: Row[Field] extends View[Field]
        ? never
        : Field
    }[keyof Row & Exclude<keyof View, Computed>]

/**
 * Builds the lists of columns that a query selects to fill a view. An entity property that is
 * neither in the view nor in `internal` does not compile, so no new column is shown by accident.
 */
export const shownColumns =
  <View>() =>
  <
    Table extends keyof Tables,
    const Usual extends Columns,
    const Rarer extends Groups & { detail: Columns },
    const Internal extends readonly string[],
  >(
    schema: Pick<EntitySchema, 'meta'>,
    _table: Mistake<
      RowOf<Table>,
      View,
      FieldOf<Exclude<Usual[number] | Rarer[keyof Rarer][number], string>>,
      Internal[number]
    > extends never
      ? Table
      : never,
    parts: Parts<Usual, Rarer, Internal>,
  ): ShownColumns<View, Rarer> =>
    // The type check above ensures that the columns match the view.
    columnsOf(schema, parts) as unknown as ShownColumns<View, Rarer>

type AnyColumns = Omit<ShownColumns<unknown, Groups>, 'all' | 'columns' | 'without'> & {
  all: Columns
  columns: (groups: readonly string[], where: { ofOneTenant: boolean }) => Columns
  without: (...groups: readonly string[]) => Columns
}

function columnsOf(
  { meta }: Pick<EntitySchema, 'meta'>,
  { usual, rarer, own = {}, internal }: Parts<Columns, Groups, readonly string[]>,
): AnyColumns {
  const named = new Set([...internal, ...[...usual, ...Object.values(rarer).flat()].map(fieldOf)])
  const unnamed = Object.keys(meta.properties).filter((property) => !named.has(property))
  const byGroup: Groups = { ...rarer, detail: [...(rarer['detail'] ?? []), ...unnamed] }
  const groups = Object.keys(byGroup)
  const fields = new Map(groups.map((group) => [group, (byGroup[group] ?? []).map(fieldOf)]))
  const read = (selectedGroups: readonly string[], columnGroups: Groups): Columns =>
    [...usual, ...selectedGroups.flatMap((group) => columnGroups[group] ?? [])].map(asColumn)
  // The columns in `own` have the aliases of the columns that they replace.
  const byGroupOfOneTenant = { ...byGroup, ...own }
  return {
    all: read(groups, byGroup),
    groupsFor: (selected) =>
      groups.filter(
        (group) => selected === null || fields.get(group)?.some((name) => selected.has(name)),
      ),
    columns: (selectedGroups, { ofOneTenant }) =>
      read(selectedGroups, ofOneTenant ? byGroupOfOneTenant : byGroup),
    without: (...omitted) =>
      read(
        groups.filter((group) => !omitted.includes(group)),
        byGroup,
      ),
  }
}

const asColumn = (column: Column): Column =>
  typeof column === 'string' && columnOf(column) !== column
    ? `${columnOf(column)} as ${column}`
    : column

// An alias that is an expression names no field; none is used here.
const fieldOf = (column: Column): string => {
  if (typeof column === 'string') return column
  return typeof column.alias === 'string' ? column.alias : ''
}
