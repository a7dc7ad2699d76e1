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

function selectsId(document: DocumentNode, { selections }: SelectionSetNode): boolean {
  return selections.some((each) => {
    if (each.kind === Kind.FIELD) return each.name.value === 'id' && !each.alias
    if (each.kind === Kind.INLINE_FRAGMENT) return selectsId(document, each.selectionSet)
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === each.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION && selectsId(document, fragment.selectionSet)
  })
}

/** Returns the types with an id that the document selects without it. */
function typesWithoutId(document: DocumentNode): string[] {
  const types: string[] = []
  const info = new TypeInfo(schema)
  const enter = (selectionSet: SelectionSetNode, _key: unknown, parent: unknown) => {
    const type = getNamedType(info.getType())
    // A fragment is checked at its uses, because the enclosing selection may have the id.
    const isFragment =
      typeof parent === 'object' &&
      parent !== null &&
      'kind' in parent &&
      parent.kind === Kind.FRAGMENT_DEFINITION
    if (!isFragment && hasIdentity(type) && !selectsId(document, selectionSet))
      types.push(type?.name ?? '')
  }
  visit(document, visitWithTypeInfo(info, { SelectionSet: { enter } }))
  return types
}

test.each(files)(
  // Without the id, the cache could not update the other places that show the same row.
  'every type with an id is selected with its id: %s',
  async (file) => {
    const exported: unknown = await import(new URL(file, import.meta.url).href)
    // A module is an object.
    expect(documentsIn({ ...(exported as object) }).flatMap(typesWithoutId)).toEqual([])
  },
)

test('a document that omits an id is found', () => {
  expect(typesWithoutId(parse('{ vms(first: 1) { nodes { name } } }'))).toEqual(['Vm'])
  expect(
    typesWithoutId(parse('fragment A on Vm { id } { vms(first: 1) { nodes { name ...A } } }')),
  ).toEqual([])
})
