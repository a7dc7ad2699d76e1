import { type EntitySchema } from '@mikro-orm/core'
import { type AliasedExpression, type AliasedRawBuilder, type Selectable } from 'kysely'
import { type Tables } from '../../model/registry.ts'
import { columnOf } from './columns-from.ts'
import { type PropertyOf } from './insert-into.ts'

type Column = string | AliasedExpression<unknown, string>
type Columns = readonly Column[]
type Groups = Readonly<Record<string, Columns>>

/** A row by the properties of its entity. */
type RowOf<Table extends keyof Tables> = {
  [Name in keyof Selectable<Tables[Table]> as PropertyOf<Name>]: Selectable<Tables[Table]>[Name]
}
type FieldOf<One> = One extends AliasedExpression<unknown, infer Alias> ? Alias : One

/** The columns that are read for a view, each by the name and with the type of its field. */
type ColumnFor<View> = {
  [Field in keyof View & string]: AliasedRawBuilder<View[Field], Field>
}[keyof View & string]

interface Parts<Usual extends Columns, Rarer extends Groups, Internal extends readonly string[]> {
  /** What nearly every list shows, and what it is ordered by. */
  usual: Usual
  /**
   * What takes a look into another table, or is asked of a single row mostly. In groups, so that
   * few statements serve all lists. The properties that are named nowhere join the group `detail`.
   */
  rarer: Rarer
  /**
   * What is one thing for all rows of one tenant: looked up once and not for each. Binds to the
   * slot `ownTenant`.
   */
  own?: Groups
  /** The properties that the view does not have, which nobody is shown. */
  internal: Internal
}

/** Which columns of a table are read: those that somebody asked for. */
interface ShownColumns<View, Rarer extends Groups> {
  readonly all: readonly ColumnFor<View>[]
  /**
   * The groups that rows with these fields need; all of them where that is not known. They name the
   * statement that is kept.
   */
  groupsFor(selected: ReadonlySet<string> | null): readonly string[]
  /** What nobody asked for is not there, and nobody looks for it. */
  columns(groups: readonly string[], where: { ofOneTenant: boolean }): readonly ColumnFor<View>[]
  /** All columns but those of the groups. */
  without<Group extends keyof Rarer & string>(
    ...groups: readonly Group[]
  ): readonly ColumnFor<Omit<View, FieldOf<Rarer[Group][number]> & string>>[]
}

/**
 * Why a noun would show too much or too little: a property that is neither in the view nor
 * internal, a field of the view without a column, or one of another type. Never when all is well.
 */
type Flaw<Row, View, Computed, Internal> =
  | Exclude<keyof Row, keyof View | Internal>
  | Exclude<keyof View, keyof Row | Computed>
  | Exclude<Internal, Exclude<keyof Row, keyof View>>
  | {
      [Field in keyof Row & Exclude<keyof View, Computed>]: Row[Field] extends View[Field]
        ? never
        : Field
    }[keyof Row & Exclude<keyof View, Computed>]

/**
 * A property of the entity is shown when the view has it, and does not compile when neither the
 * view nor `internal` does. So no new column is shown by accident.
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
    _table: Flaw<
      RowOf<Table>,
      View,
      FieldOf<Exclude<Usual[number] | Rarer[keyof Rarer][number], string>>,
      Internal[number]
    > extends never
      ? Table
      : never,
    parts: Parts<Usual, Rarer, Internal>,
  ): ShownColumns<View, Rarer> =>
    // Flaw has made sure that the columns are those of the view.
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
  const others = Object.keys(meta.properties).filter((property) => !named.has(property))
  const byGroup: Groups = { ...rarer, detail: [...(rarer['detail'] ?? []), ...others] }
  const groups = Object.keys(byGroup)
  const fields = new Map(groups.map((group) => [group, (byGroup[group] ?? []).map(fieldOf)]))
  const read = (wanted: readonly string[], known: Groups): Columns =>
    [...usual, ...wanted.flatMap((group) => known[group] ?? [])].map(asColumn)
  // A tenant's own columns have the aliases of those that they stand for.
  const ofOne = { ...byGroup, ...own }
  return {
    all: read(groups, byGroup),
    groupsFor: (selected) =>
      groups.filter(
        (group) => selected === null || fields.get(group)?.some((name) => selected.has(name)),
      ),
    columns: (wanted, { ofOneTenant }) => read(wanted, ofOneTenant ? ofOne : byGroup),
    without: (...left) =>
      read(
        groups.filter((group) => !left.includes(group)),
        byGroup,
      ),
  }
}

const asColumn = (column: Column): Column =>
  typeof column === 'string' && columnOf(column) !== column
    ? `${columnOf(column)} as ${column}`
    : column

// An alias that is an expression names no field, and nothing here has one.
const fieldOf = (column: Column): string => {
  if (typeof column === 'string') return column
  return typeof column.alias === 'string' ? column.alias : ''
}
