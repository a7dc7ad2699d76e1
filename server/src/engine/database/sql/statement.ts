import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import { type Tables } from '../../model/registry.ts'

/**
 * Marks the position of an argument. A query is built and compiled once per shape and only bound
 * afterwards.
 */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export const slot = <T>(name: string): RawBuilder<T> => sql<T>`${new Slot(name)}`

/** A compiled query. Each connection prepares its text by name on first use. */
export interface Statement<Row> {
  readonly name: string
  readonly text: string
  bind(args: Readonly<Record<string, unknown>>): unknown[]
  /** Never set. It carries the row type. */
  readonly row?: Row
}

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

interface CachedStatement {
  /** The source text of the builder function. */
  source: string
  statement: Statement<unknown>
}

const byShape = new Map<string, CachedStatement[]>()
const nameByText = new Map<string, string>()

/** Returns the prepared-statement name of a text. A text has the same name on every connection. */
function statementName(text: string): string {
  const existing = nameByText.get(text)
  if (existing !== undefined) return existing
  const name = `berth_${nameByText.size}`
  nameByText.set(text, name)
  return name
}

/**
 * Returns the statement of a shape and builds it on first use. The shape must name every value that
 * the builder captures; two builders with the same shape have separate statements.
 */
export function statement<Row>(
  shape: string,
  build: (db: Kysely<Tables>) => Compilable<Row>,
  source: string = build.toString(),
): Statement<Row> {
  const existing = byShape.get(shape)?.find((each) => each.source === source)
  // The same builder source produced it, so the row type is the same.
  if (existing) return existing.statement as Statement<Row>
  const { sql: text, parameters } = build(compiler).compile()
  const created: Statement<Row> = {
    name: statementName(text),
    text,
    bind: (args) => parameters.map((value) => (value instanceof Slot ? args[value.name] : value)),
  }
  byShape.set(shape, [...(byShape.get(shape) ?? []), { source, statement: created }])
  return created
}
