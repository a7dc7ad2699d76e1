import { registerEnumType } from 'type-graphql'
import { enumOf } from './enum.ts'

const directions = ['asc', 'desc'] as const
export type Direction = (typeof directions)[number]
export const DirectionEnum = enumOf(directions)
registerEnumType(DirectionEnum, { name: 'OrderDirection' })

/** Returns the sort of a list: the client's order, or ascending by the default field. */
export function sortOf<Field extends string, const DefaultField extends string>(
  orderBy: { by: Field; direction: Direction } | undefined,
  defaultField: DefaultField,
): { sort: Field | DefaultField; direction: Direction } {
  return { sort: orderBy?.by ?? defaultField, direction: orderBy?.direction ?? 'asc' }
}
