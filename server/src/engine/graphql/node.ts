import { Field, ID, InterfaceType } from 'type-graphql'

/** Rows that a field of this type returns name their type in `__typename`. */
@InterfaceType({ description: 'An object that `node` finds by its id.' })
export abstract class Node {
  @Field(() => ID, { description: 'The id of the object. It never changes.' }) id!: string
}
