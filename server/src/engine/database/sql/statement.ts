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
 * Marks where an argument goes, so that a query is built and compiled once per shape and only bound
 * afterwards.
 */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export const slot = <T>(name: string): RawBuilder<T> => sql<T>`${new Slot(name)}`

/** A compiled query: its text is prepared by name on each connection that meets it. */
export interface Statement<Row> {
  readonly name: string
  readonly text: string
  bind(args: Readonly<Record<string, unknown>>): unknown[]
  /** Never set; carries the row type. */
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

interface Built {
  /** The source of the builder. */
  source: string
  statement: Statement<unknown>
}

const byShape = new Map<string, Built[]>()
const nameByText = new Map<string, string>()

/**
 * Names a text for the server's prepared statements; the same text has the same name on every
 * connection.
 */
function statementName(text: string): string {
  const known = nameByText.get(text)
  if (known !== undefined) return known
  const name = `berth_${nameByText.size}`
  nameByText.set(text, name)
  return name
}

/**
 * The statement of a shape, built by `build` the first time the pair is asked for. The shape names
 * what the builder captures; two builders with the same shape have a statement each.
 */
export function statement<Row>(
  shape: string,
  build: (db: Kysely<Tables>) => Compilable<Row>,
  source: string = build.toString(),
): Statement<Row> {
  const known = byShape.get(shape)?.find((each) => each.source === source)
  // The builder of this source made it, so it has this builder's row type.
  if (known) return known.statement as Statement<Row>
  const { sql: text, parameters } = build(compiler).compile()
  const made: Statement<Row> = {
    name: statementName(text),
    text,
    bind: (args) => parameters.map((value) => (value instanceof Slot ? args[value.name] : value)),
  }
  byShape.set(shape, [...(byShape.get(shape) ?? []), { source, statement: made }])
  return made
}
