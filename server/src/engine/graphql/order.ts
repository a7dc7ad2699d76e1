import { Field, InputType } from 'type-graphql'
import { type SortDescriptions, enumOf, sortEnumOf } from './enum.ts'

const directions = ['asc', 'desc'] as const
export type Direction = (typeof directions)[number]
const DirectionEnum = enumOf('OrderDirection', directions, {
  description: 'The direction of an order.',
  values: { asc: 'The lowest value comes first.', desc: 'The highest value comes first.' },
})

/** Returns the input that orders a list by one of the fields, which become an enum. */
export function orderOf<const Sort extends string>(
  enumName: string,
  sorts: readonly Sort[],
  details?: SortDescriptions<Sort>,
) {
  const SortEnum = sortEnumOf(enumName, sorts, details)

  @InputType()
  abstract class Order {
    @Field(() => SortEnum, { description: 'The value by which the list is sorted.' }) by!: Sort
    @Field(() => DirectionEnum, {
      defaultValue: 'asc',
      description: 'The direction of the order; ascending by default.',
    })
    direction!: Direction
  }
  return Order
}

/** Returns the sort of a list that has an order of its own, such as newest first. */
export const requestedSort = <Field extends string>(
  orderBy: { by: Field; direction: Direction } | undefined,
): { sort?: Field; direction?: Direction } =>
  orderBy ? { sort: orderBy.by, direction: orderBy.direction } : {}

/** Returns the sort of a list: the client's order, or ascending by the default field. */
export function sortOf<Field extends string, const DefaultField extends string>(
  orderBy: { by: Field; direction: Direction } | undefined,
  defaultField: DefaultField,
): { sort: Field | DefaultField; direction: Direction } {
  return { sort: orderBy?.by ?? defaultField, direction: orderBy?.direction ?? 'asc' }
}
