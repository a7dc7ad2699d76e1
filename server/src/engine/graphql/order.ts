import { registerEnumType } from 'type-graphql'
import { enumOf } from './enum.ts'

const directions = ['asc', 'desc'] as const
export type Direction = (typeof directions)[number]
export const DirectionEnum = enumOf(directions)
registerEnumType(DirectionEnum, { name: 'OrderDirection' })

/** The sort of a list: what the client asks for, or ascending by the field that is usual for it. */
export function sortOf<Field extends string, const Usual extends string>(
  orderBy: { by: Field; direction: Direction } | undefined,
  usual: Usual,
): { sort: Field | Usual; direction: Direction } {
  return { sort: orderBy?.by ?? usual, direction: orderBy?.direction ?? 'asc' }
}
