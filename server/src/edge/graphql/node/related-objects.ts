import { type ClassType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { sameAccessAsObject } from '../../../engine/graphql/needs.ts'
import { type GraphRequest, type NodeKind } from '../context.ts'
import { findObject } from './find-object.ts'
import { nodeKinds } from './node-kinds.ts'

/** The fields of a row that hold ids. */
type IdFieldOf<Row> = {
  [Field in keyof Row & string]: Row[Field] extends string | null ? Field : never
}[keyof Row & string]

/** A field with an object, beside the field with its id. */
interface RelatedObject<Row> {
  kind: NodeKind
  /** The field of the row with the id. */
  id: IdFieldOf<Row>
  description: string
}

export type RelatedObjects<Row> = Readonly<Record<string, RelatedObject<Row>>>

/** The tenant of a row, for `RelatedObjects`. */
export const itsTenant = {
  tenant: { kind: 'tenant', id: 'tenantId', description: 'The tenant that owns the object.' },
} as const

/** Builds the resolver of the fields that show objects beside their ids. */
export function relatedObjects<Row extends object>(
  owner: ClassType,
  objects: RelatedObjects<Row>,
): new () => object {
  @Resolver(() => owner)
  class RelatedObjectsResolver {}
  for (const [name, object] of Object.entries(objects))
    addField(RelatedObjectsResolver.prototype, name, object)
  return RelatedObjectsResolver
}

function addField<Row>(
  prototype: object,
  name: string,
  { kind, id, description }: RelatedObject<Row>,
): void {
  // The type of `id` ensures that the field holds an id or null.
  const value = (row: Row, request: GraphRequest) =>
    findObject(request, kind, row[id] as string | null)
  Object.defineProperty(prototype, name, { value })
  FieldResolver(() => nodeKinds[kind].type, {
    nullable: true,
    description: `${description} Null when it does not exist any more, or the caller may not read it.`,
  })(prototype, name, { value })
  sameAccessAsObject()(prototype, name)
  Root()(prototype, name, 0)
  Ctx()(prototype, name, 1)
}

/** Returns the fields of the row from which the objects are read, for `selectedFields`. */
export const idFieldsOf = (
  objects: Readonly<Record<string, { id: string }>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(objects).map(([name, { id }]) => [name, [id]]))
