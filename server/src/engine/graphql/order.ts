import { registerEnumType } from 'type-graphql'
import { enumOf } from './enum.ts'

const directions = ['asc', 'desc'] as const
export type Direction = (typeof directions)[number]
export const DirectionEnum = enumOf(directions)
registerEnumType(DirectionEnum, { name: 'OrderDirection' })
