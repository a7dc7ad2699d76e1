import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import { defaultPageSize } from '../model/page.ts'

/** The limits of one document, over HTTP and sockets alike (S-20 to S-22). */
export const limits = {
  depth: 8,
  aliases: 50,
  directives: 50,
  rootMutations: 5,
  tokens: 1_000,
  /** The tokens in a document of a caller without a login: enough to log in. */
  strangerTokens: 200,
  costPerRow: 30,
} as const

/** The cost of reading the schema, measured in rows of a list. A document may read it twice. */
const introspectionCosts: Readonly<Record<string, number>> = { __schema: 2_500, __type: 250 }

/** Returns the validation rules for documents of callers, in addition to the standard ones. */
export function documentRules({
  pageCap,
  introspection,
  maxTokens = limits.tokens,
}: {
  pageCap: number
  introspection: boolean
  maxTokens?: number
}) {
  const validationRules: ValidationRule[] = [
    limitRule(pageCap),
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
  return { validationRules, parseOptions: { maxTokens } }
}

interface Weights {
  depth: number
  aliases: number
  directives: number
  cost: number
}

/**
 * Refuses too expensive documents before anything runs. Fragments are weighed at each spread, so a
 * small text cannot expand to a large query. A fragment that spreads itself is refused by the
 * standard rules and stops the weighing.
 */
export function limitRule(pageCap: number): ValidationRule {
  return (context: ValidationContext): ASTVisitor => ({
    Document: (document) => {
      const fragments = fragmentsOf(document)
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue
        const weighing = { fragments, pageCap, open: new Set<string>(), budget: { fields: 20_000 } }
        const weights = weigh(definition.selectionSet, weighing)
        const refusal =
          refusalFor(weights, pageCap) ??
          rootRefusal(definition.operation, definition.selectionSet, weighing)
        if (refusal)
          context.reportError(
            new GraphQLError(refusal, { nodes: definition, extensions: { code: 'query_refused' } }),
          )
      }
    },
  })
}

function refusalFor({ depth, aliases, directives, cost }: Weights, pageCap: number): string | null {
  if (depth > limits.depth)
    return `The query is nested ${depth} levels deep; at most ${limits.depth} are allowed.`
  if (aliases > limits.aliases) return `The query has more than ${limits.aliases} aliases.`
  if (directives > limits.directives)
    return `The query has more than ${limits.directives} directives.`
  if (cost > limits.costPerRow * pageCap)
    return 'The query is too large; request fewer rows or fields.'
  return null
}

function rootRefusal(
  operation: string,
  selections: SelectionSetNode,
  weighing: Weighing,
): string | null {
  if (operation !== 'mutation') return null
  const names = rootFields(selections, weighing)
  if (names.length > limits.rootMutations)
    return `A document may have at most ${limits.rootMutations} mutations.`
  return names.filter((name) => name === 'login').length > 1
    ? 'A document may have only one login.'
    : null
}

/** Lists the names of the root fields, including those from fragments. */
function rootFields({ selections }: SelectionSetNode, weighing: Weighing): string[] {
  const names: string[] = []
  for (const selection of selections) {
    if (names.length > limits.rootMutations) return names
    if (selection.kind === Kind.FIELD) {
      names.push(selection.name.value)
    } else {
      const inside = insideOf(selection, weighing)
      if (inside) names.push(...rootFields(inside.set, inside.weighing))
    }
  }
  return names
}

const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )

interface Weighing {
  fragments: Map<string, FragmentDefinitionNode>
  pageCap: number
  /** The fragments that are being weighed, to stop at cycles. */
  open: Set<string>
  /**
   * The remaining number of fields, shared by the whole document. An expansion bomb is cut off
   * instead of counted to the end.
   */
  budget: { fields: number }
}

/** The cost of a scalar field. It is low, because its row is read anyway. */
const leafCost = 0.1

const zero: Weights = { depth: 0, aliases: 0, directives: 0, cost: 0 }
const tooMuch: Weights = { depth: 0, aliases: 0, directives: 0, cost: Number.POSITIVE_INFINITY }

function weigh({ selections }: SelectionSetNode, weighing: Weighing): Weights {
  let total = zero
  for (const selection of selections) {
    if (--weighing.budget.fields < 0) return tooMuch
    const directives = selection.directives?.length ?? 0
    total = add(
      add(total, { ...zero, directives }),
      selection.kind === Kind.FIELD
        ? weighField(selection, weighing)
        : weighSpread(selection, weighing),
    )
  }
  return total
}

const add = (a: Weights, b: Weights): Weights => ({
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
  directives: a.directives + b.directives,
  cost: a.cost + b.cost,
})

function weighField(field: FieldNode, weighing: Weighing): Weights {
  if (!field.selectionSet)
    return { ...zero, depth: 1, aliases: field.alias ? 1 : 0, cost: leafCost }
  const inner = weigh(field.selectionSet, weighing)
  const aliases = inner.aliases + (field.alias ? 1 : 0)
  // Introspection nests deeply by nature and reads no rows.
  const introspectionCost = introspectionCosts[field.name.value]
  if (introspectionCost !== undefined)
    return { ...zero, aliases, directives: inner.directives, cost: introspectionCost }
  return {
    depth: inner.depth + 1,
    aliases,
    directives: inner.directives,
    cost: 1 + rowsOf(field, weighing) * inner.cost,
  }
}

type Spread = Exclude<SelectionSetNode['selections'][number], FieldNode>

function weighSpread(spread: Spread, weighing: Weighing): Weights {
  const inside = insideOf(spread, weighing)
  return inside ? weigh(inside.set, inside.weighing) : zero
}

/**
 * Returns the selection of a spread. Returns null for a fragment that is unknown or contains
 * itself; the standard rules refuse it.
 */
function insideOf(
  spread: Spread,
  weighing: Weighing,
): { set: SelectionSetNode; weighing: Weighing } | null {
  if (spread.kind === Kind.INLINE_FRAGMENT) return { set: spread.selectionSet, weighing }
  const fragment = weighing.fragments.get(spread.name.value)
  if (!fragment || weighing.open.has(spread.name.value)) return null
  return {
    set: fragment.selectionSet,
    weighing: { ...weighing, open: new Set(weighing.open).add(spread.name.value) },
  }
}

const connectionFields = new Set(['nodes', 'edges'])

/**
 * Returns how many rows a field may return: its literal `first`, or the page cap when a variable
 * decides.
 */
function rowsOf(field: FieldNode, weighing: Weighing): number {
  const { pageCap } = weighing
  const first = field.arguments?.find((argument) => argument.name.value === 'first')?.value
  if (first)
    return first.kind === Kind.INT ? Math.min(Math.max(Number(first.value), 1), pageCap) : pageCap
  return field.selectionSet && isConnection(field.selectionSet, weighing) ? defaultPageSize : 1
}

/**
 * True when the selection is one of a connection. Searching fragments uses the same budget, because
 * an expansion bomb must not be searched either.
 */
function isConnection({ selections }: SelectionSetNode, weighing: Weighing): boolean {
  return selections.some((child) => {
    if (--weighing.budget.fields < 0) return true
    if (child.kind === Kind.FIELD) return connectionFields.has(child.name.value)
    const inside = insideOf(child, weighing)
    return inside !== null && isConnection(inside.set, inside.weighing)
  })
}
