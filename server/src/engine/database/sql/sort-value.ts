import { ipv4FromText } from '../../model/ip-address.ts'
import { isMoment } from '../../model/moment.ts'
import { isId } from '../../../runtime/ids.ts'

export type SortType = 'text' | 'uuid' | 'int' | 'boolean' | 'inet' | 'timestamptz'

const isText = (value: unknown): value is string => typeof value === 'string'
const maxInt = 2 ** 31 - 1

/** Tests if PostgreSQL can compare a value of a cursor with a column of the type. */
export const sortValueChecks: Readonly<Record<SortType, (value: unknown) => boolean>> = {
  text: (value) => isText(value) && !value.includes('\0'),
  uuid: (value) => isText(value) && isId(value),
  int: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= maxInt,
  boolean: (value) => typeof value === 'boolean',
  inet: (value) => isText(value) && ipv4FromText(value) !== null,
  timestamptz: (value) => isText(value) && isMoment(value),
}
