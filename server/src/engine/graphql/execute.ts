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
import { DocumentCache, maxCachedLength } from './document-cache.ts'

/** A document that is parsed, validated and compiled. */
export interface Executable {
  run(
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<ExecutionResult> | ExecutionResult
}

// Stores return values of the types in the schema, and enum values are their own names. Checking
// each value again would cost four times the rest of the execution. Custom scalars are still
// serialized.
const compilerOptions = { disableLeafSerialization: true } as const

/**
 * Compiles a validated document. A document that the compiler does not support is interpreted, with
 * the same result but slower.
 */
export function compileDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): Executable {
  const compiled = compileQuery(schema, document, operationName, compilerOptions)
  if (!isCompiledQuery(compiled)) return interpretDocument(schema, document, operationName)
  return {
    run: (context, variables) => {
      const result = compiled.query(undefined, context, { ...variables })
      return result instanceof Promise ? result.then(withExtensions) : withExtensions(result)
    },
  }
}

/**
 * Adds `extensions` to errors of the compiler, which leaves them undefined although every
 * GraphQLError has them. Apollo fails on that and hides the refusal.
 */
function withExtensions(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result
  // Without data nothing has run, so the error is in the variables.
  const value = result.data === undefined ? { code: 'BAD_USER_INPUT' } : {}
  // The prototype is a GraphQLError, which supplies all other members.
  const complete = (error: GraphQLError): GraphQLError =>
    Object.create(error, { extensions: { value, enumerable: true } }) as GraphQLError
  return {
    ...result,
    errors: result.errors.map((error) => (error.extensions ? error : complete(error))),
  }
}

/**
 * Runs a document without compiling it, which costs less than compiling when it is run only once.
 */
export function interpretDocument(
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

/**
 * Compiles one of Berth's own documents. A document that does not fit the schema is a bug and stops
 * the start.
 */
export function compileText(schema: GraphQLSchema, text: string): Executable {
  const known = compiledTexts.get(schema) ?? new Map<string, Executable>()
  compiledTexts.set(schema, known)
  const compiled = known.get(text) ?? checkAndCompile(schema, text)
  known.set(text, compiled)
  return compiled
}

/** Routes with the same document, and all servers of a process, share what is compiled. */
const compiledTexts = new WeakMap<GraphQLSchema, Map<string, Executable>>()

function checkAndCompile(schema: GraphQLSchema, text: string): Executable {
  const document = parse(text)
  const [error] = validate(schema, document)
  if (error) throw new TypeError(`this document does not fit the schema: ${error.message}\n${text}`)
  return compileDocument(schema, document)
}

/** A validated document of a caller. */
export interface Prepared {
  document: DocumentNode
  operation: OperationTypeNode
  operationName: string | undefined
  /** Compiled on first use. Subscriptions do not use it. */
  executable(): Executable
}

export interface DocumentRules {
  schema: GraphQLSchema
  /** Rules in addition to the standard ones. */
  validationRules: readonly ValidationRule[]
  parseOptions: { maxTokens: number }
}

/**
 * Prepares documents of callers outside of Apollo: parses, validates against the same rules and
 * compiles once per text.
 */
export function documentPreparer({
  schema,
  validationRules,
  parseOptions,
}: DocumentRules): (text: string, operationName?: string) => Prepared {
  const cache = new DocumentCache<Prepared>()
  const rules = [...specifiedRules, ...validationRules]
  const prepare = (text: string, operationName: string | undefined): Prepared => {
    const document = parsed(text, parseOptions)
    const complaints = validate(schema, document, rules)
    if (complaints.length > 0) throw new DocumentRefused(complaints)
    const operation = getOperationAST(document, operationName)?.operation
    if (!operation)
      throw new DocumentRefused([
        new GraphQLError('The document has no such operation; name one that it contains.'),
      ])
    const toExecutable = text.length > maxCachedLength ? interpretDocument : compileDocument
    let compiled: Executable | undefined
    return {
      document,
      operation,
      operationName,
      executable: () => (compiled ??= toExecutable(schema, document, operationName)),
    }
  }
  return (text, operationName) =>
    cache.get(`${operationName ?? ''} ${text}`, text.length, () => prepare(text, operationName))
}

function parsed(text: string, options: DocumentRules['parseOptions']): DocumentNode {
  try {
    return parse(text, options)
  } catch (error) {
    throw error instanceof GraphQLError ? new DocumentRefused([error]) : error
  }
}

/** Thrown for a document that is refused. The caller may see the complaints. */
export class DocumentRefused extends TypeError {
  readonly complaints: readonly GraphQLError[]

  constructor(complaints: readonly GraphQLError[]) {
    super('the document is refused')
    // The code marks complaints about the caller's own text, which may be shown unchanged.
    this.complaints = complaints.map(
      ({ message, nodes, source, positions }) =>
        new GraphQLError(message, { nodes, source, positions, extensions }),
    )
  }
}

const extensions = { code: 'query_refused' }
