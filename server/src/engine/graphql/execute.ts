import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  type OperationTypeNode,
  type ValidationRule,
  execute,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { DocumentCache } from './document-cache.ts'

/** A document ready to run: parsed, checked and compiled once. */
export interface Executable {
  run(
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<ExecutionResult> | ExecutionResult
}

// What the stores give out has the type that the schema says, and an enum's words stand for
// themselves: checking each value again would cost four times the rest of the execution. Custom
// scalars are still asked.
const compilerOptions = { disableLeafSerialization: true } as const

/**
 * Compiles a checked document; what the compiler cannot do runs interpreted, slower and the same.
 */
export function compileDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): Executable {
  const compiled = compileQuery(schema, document, operationName, compilerOptions)
  if (!isCompiledQuery(compiled)) return interpreted(schema, document, operationName)
  return {
    run: (context, variables) => {
      const result = compiled.query(undefined, context, { ...variables })
      return result instanceof Promise ? result.then(withExtensions) : withExtensions(result)
    },
  }
}

/**
 * The compiler leaves `extensions` of its errors undefined, which no GraphQLError is; Apollo fails
 * on that and hides the refusal.
 */
function withExtensions(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result
  // Without data nothing has run: what is refused are the variables.
  const value = result.data === undefined ? { code: 'BAD_USER_INPUT' } : {}
  // Made from a GraphQLError, and so one: everything else of it is inherited.
  const complete = (error: GraphQLError): GraphQLError =>
    Object.create(error, { extensions: { value, enumerable: true } }) as GraphQLError
  return {
    ...result,
    errors: result.errors.map((error) => (error.extensions ? error : complete(error))),
  }
}

function interpreted(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): Executable {
  return {
    run: (contextValue, variableValues) =>
      execute({
        schema,
        document,
        contextValue,
        variableValues,
        ...(operationName === undefined ? {} : { operationName }),
      }),
  }
}

/** For documents of our own: one that does not fit the schema is a bug and ends the start. */
export function compileText(schema: GraphQLSchema, text: string): Executable {
  const document = parse(text)
  const [error] = validate(schema, document)
  if (error) throw new TypeError(`this document does not fit the schema: ${error.message}\n${text}`)
  return compileDocument(schema, document)
}

/** A caller's document that may run. */
export interface Prepared {
  document: DocumentNode
  operation: OperationTypeNode
  operationName: string | undefined
  /** Compiled at the first use; a subscription is not run by it. */
  executable(): Executable
}

export interface DocumentRules {
  schema: GraphQLSchema
  /** Beside the standard ones. */
  validationRules: readonly ValidationRule[]
  parseOptions: { maxTokens: number }
}

// Longer texts are a caller's own and rarely sent twice; keeping a thousand of them would be memory
// that callers decide about.
const longestKept = 8_192

/**
 * The door for callers' documents where Apollo is not: parsed, checked against the same rules and
 * compiled once per text.
 */
export function preparing({
  schema,
  validationRules,
  parseOptions,
}: DocumentRules): (text: string, operationName?: string) => Prepared {
  const known = new DocumentCache<Prepared>(1_000)
  const rules = [...specifiedRules, ...validationRules]
  const prepare = (text: string, operationName: string | undefined): Prepared => {
    const document = parsed(text, parseOptions)
    const complaints = validate(schema, document, rules)
    if (complaints.length > 0) throw new DocumentRefused(complaints)
    const operation = getOperationAST(document, operationName)?.operation
    if (!operation)
      throw new DocumentRefused([
        new GraphQLError('The document has no such operation; name one of those it holds.'),
      ])
    let compiled: Executable | undefined
    return {
      document,
      operation,
      operationName,
      executable: () => (compiled ??= compileDocument(schema, document, operationName)),
    }
  }
  return (text, operationName) => {
    if (text.length > longestKept) return prepare(text, operationName)
    return known.get(`${operationName ?? ''} ${text}`, () => prepare(text, operationName))
  }
}

function parsed(text: string, options: DocumentRules['parseOptions']): DocumentNode {
  try {
    return parse(text, options)
  } catch (error) {
    throw error instanceof GraphQLError ? new DocumentRefused([error]) : error
  }
}

/** Thrown for a document that does not fit; what it complains about is the caller's to know. */
export class DocumentRefused extends TypeError {
  readonly complaints: readonly GraphQLError[]

  constructor(complaints: readonly GraphQLError[]) {
    super('the document is refused')
    // The code says that the complaint is about what the caller wrote, and may be told in its own
    // words.
    this.complaints = complaints.map(
      ({ message, nodes, source, positions }) =>
        new GraphQLError(message, { nodes, source, positions, extensions }),
    )
  }
}

const extensions = { code: 'query_refused' }
