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

/** What one document may ask for, over HTTP and the socket alike (S-20 to S-22). */
export const limits = {
  depth: 8,
  aliases: 30,
  directives: 50,
  rootMutations: 5,
  tokens: 1_000,
  costPerRow: 30,
} as const

/** What a caller's document must keep to, besides being valid. */
export function documentRules({
  pageCap,
  introspection,
}: {
  pageCap: number
  introspection: boolean
}) {
  const validationRules: ValidationRule[] = [
    limitRule(pageCap),
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
  return { validationRules, parseOptions: { maxTokens: limits.tokens } }
}

interface Weights {
  depth: number
  aliases: number
  directives: number
  cost: number
}

/**
 * Refuses documents that ask for too much, before anything runs. Fragments are weighed where they
 * are spread, so a small text cannot grow large; a fragment that spreads itself is refused by the
 * standard rules and stops the weighing here.
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
    return 'The query asks for too much at once; ask for fewer rows or fields.'
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
    return `At most ${limits.rootMutations} mutations fit into one document.`
  return names.filter((name) => name === 'login').length > 1 ? 'Log in once per document.' : null
}

/** The names of the root fields, also of those that come by a fragment. */
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
  /** Fragments being weighed, to stop at cycles. */
  open: Set<string>
  /** Shared by the whole document: a bomb is cut off instead of being counted to the end. */
  budget: { fields: number }
}

/** A value of a row that is read anyway costs little beside the row itself. */
const leafCost = 0.1

const nothing: Weights = { depth: 0, aliases: 0, directives: 0, cost: 0 }
const tooMuch: Weights = { depth: 0, aliases: 0, directives: 0, cost: Number.POSITIVE_INFINITY }

function weigh({ selections }: SelectionSetNode, weighing: Weighing): Weights {
  let total = nothing
  for (const selection of selections) {
    if (--weighing.budget.fields < 0) return tooMuch
    const directives = selection.directives?.length ?? 0
    total = add(
      add(total, { ...nothing, directives }),
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
    return { ...nothing, depth: 1, aliases: field.alias ? 1 : 0, cost: leafCost }
  const inner = weigh(field.selectionSet, weighing)
  const aliases = inner.aliases + (field.alias ? 1 : 0)
  // Introspection nests deeply by nature and reads no rows.
  if (field.name.value.startsWith('__'))
    return { ...nothing, aliases, directives: inner.directives, cost: 1 }
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
  return inside ? weigh(inside.set, inside.weighing) : nothing
}

/**
 * What a spread brings; null for a fragment that is unknown or contains itself: the standard rules
 * refuse it, and the looking stops here.
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

const lists = new Set(['nodes', 'edges'])

/**
 * How many rows a field may bring: what it asks for when it says so, the cap when a variable
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
 * Looks into fragments, and so draws on the same budget: a bomb that is not counted must not be
 * searched either.
 */
function isConnection({ selections }: SelectionSetNode, weighing: Weighing): boolean {
  return selections.some((child) => {
    if (--weighing.budget.fields < 0) return true
    if (child.kind === Kind.FIELD) return lists.has(child.name.value)
    const inside = insideOf(child, weighing)
    return inside !== null && isConnection(inside.set, inside.weighing)
  })
}
