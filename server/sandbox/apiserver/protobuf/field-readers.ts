import { type Json, type JsonMap } from '../../objects/types.ts'
import { WireError, wireFields } from './wire.ts'

/** Decodes a field. Undefined means unset, because Go encodes unset fields as zero values. */
export type FieldReader = (value: bigint | Buffer, before: Json | undefined) => Json | undefined

/** The fields of a message by number. */
export type MessageTable = Readonly<Record<number, readonly [name: string, reader: FieldReader]>>

export function readMessage(bytes: Buffer, table: MessageTable): JsonMap {
  const result: JsonMap = {}
  for (const { number, value } of wireFields(bytes)) {
    const [name, reader] = table[number] ?? []
    const read = name === undefined ? undefined : reader?.(value, result[name])
    if (name !== undefined && read !== undefined) result[name] = read
  }
  return result
}

const bytesOf = (value: bigint | Buffer): Buffer => {
  if (Buffer.isBuffer(value)) return value
  throw new WireError('proto: wrong wireType')
}

export const optionalText: FieldReader = (value) => bytesOf(value).toString('utf8')

export const text: FieldReader = (value) => bytesOf(value).toString('utf8') || undefined

export const optionalNumber: FieldReader = (value) => Number(value)

export const number: FieldReader = (value) => (value === 0n ? undefined : Number(value))

/** Clients encode a flag only when it is set, so false means false. */
export const flag: FieldReader = (value) => value !== 0n

export const bytes: FieldReader = (value) => bytesOf(value).toString('base64')

export const message =
  (table: MessageTable): FieldReader =>
  (value) => {
    const read = readMessage(bytesOf(value), table)
    return Object.keys(read).length > 0 ? read : undefined
  }

/** A message that is present even when it is empty. */
export const present =
  (table: MessageTable): FieldReader =>
  (value) =>
    readMessage(bytesOf(value), table)

export const list =
  (item: FieldReader): FieldReader =>
  (value, before) => [...(Array.isArray(before) ? before : []), item(value, undefined) ?? {}]

export const texts = list(optionalText)

export const mapOf =
  (item: FieldReader): FieldReader =>
  (value, before) => {
    const { key = '', value: entryValue = '' } = readMessage(bytesOf(value), {
      1: ['key', optionalText],
      2: ['value', item],
    })
    const old =
      typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {}
    return { ...old, [String(key)]: entryValue }
  }

export const quantity: FieldReader = (value) =>
  readMessage(bytesOf(value), { 1: ['text', optionalText] }).text

export const time: FieldReader = (value) => {
  const { seconds } = readMessage(bytesOf(value), { 1: ['seconds', optionalNumber] })
  return typeof seconds === 'number'
    ? new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
    : undefined
}
