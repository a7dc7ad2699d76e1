import { type DocumentNode, type ExecutionResult, type GraphQLSchema, execute, parse, validate } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'

/** A document ready to run: parsed, checked and compiled once. */
export interface Executable {
  run(context: unknown, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult> | ExecutionResult
}

/** Compiles a checked document; what the compiler cannot do runs interpreted, slower and the same. */
export function compileDocument(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Executable {
  const compiled = compileQuery(schema, document, operationName)
  if (!isCompiledQuery(compiled)) return interpreted(schema, document, operationName)
  return { run: (context, variables) => compiled.query(undefined, context, { ...variables }) }
}

function interpreted(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Executable {
  return {
    run: (contextValue, variableValues) =>
      execute({ schema, document, contextValue, variableValues, ...(operationName === undefined ? {} : { operationName }) }),
  }
}

/** For documents of our own: one that does not fit the schema is a bug and ends the start. */
export function compileText(schema: GraphQLSchema, text: string): Executable {
  const document = parse(text)
  const [error] = validate(schema, document)
  if (error) throw new TypeError(`this document does not fit the schema: ${error.message}\n${text}`)
  return compileDocument(schema, document)
}

/** Keeps the latest compiled documents of callers; a caller that sends ever new ones only hurts its own speed. */
export class DocumentCache<Entry> {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, make: () => Entry): Entry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const made = make()
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, made)
    return made
  }
}
