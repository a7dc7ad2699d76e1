import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type DocumentNode,
  type GraphQLNamedType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  buildSchema,
  getNamedType,
  isObjectType,
  parse,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { expect, test } from 'vitest'

const schema = buildSchema(
  readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
)
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter(
  (name) => name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(name),
)

const isDocument = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === Kind.DOCUMENT

function documentsIn(value: unknown): DocumentNode[] {
  if (isDocument(value)) return [value]
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(documentsIn)
    : []
}

const hasIdentity = (type: GraphQLNamedType | null | undefined): boolean =>
  isObjectType(type) && 'id' in type.getFields()

function asksForId(document: DocumentNode, { selections }: SelectionSetNode): boolean {
  return selections.some((each) => {
    if (each.kind === Kind.FIELD) return each.name.value === 'id' && !each.alias
    if (each.kind === Kind.INLINE_FRAGMENT) return asksForId(document, each.selectionSet)
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === each.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION && asksForId(document, fragment.selectionSet)
  })
}

/** Where something that has an id is asked for without it. */
function anonymousIn(document: DocumentNode): string[] {
  const found: string[] = []
  const info = new TypeInfo(schema)
  const enter = (selectionSet: SelectionSetNode, _key: unknown, parent: unknown) => {
    const type = getNamedType(info.getType())
    // A fragment is judged where it is used: others may bring the id there.
    const isFragment =
      typeof parent === 'object' &&
      parent !== null &&
      'kind' in parent &&
      parent.kind === Kind.FRAGMENT_DEFINITION
    if (!isFragment && hasIdentity(type) && !asksForId(document, selectionSet))
      found.push(type?.name ?? '')
  }
  visit(document, visitWithTypeInfo(info, { SelectionSet: { enter } }))
  return found
}

test.each(files)(
  'all that has an id is asked for with it, or a change of it would be seen in one place only: %s',
  async (file) => {
    const exported: unknown = await import(new URL(file, import.meta.url).href)
    // a module is an object
    expect(documentsIn({ ...(exported as object) }).flatMap(anonymousIn)).toEqual([])
  },
)

test('a document that leaves an id out is found', () => {
  expect(anonymousIn(parse('{ vms(first: 1) { nodes { name } } }'))).toEqual(['Vm'])
  expect(
    anonymousIn(parse('fragment A on Vm { id } { vms(first: 1) { nodes { name ...A } } }')),
  ).toEqual([])
})
