import { JsonType, Type, p } from '@mikro-orm/core'
import { parsedJson, storedJson } from '../../model/message.ts'

/**
 * Timestamps stay the text that PostgreSQL sends. Parsing them is the largest cost of a list, and
 * only the HTTP layer shows them.
 */
class TextTimestamp extends Type<string, string> {
  override getColumnType(): string {
    return 'timestamptz'
  }

  override compareAsType(): string {
    return 'string'
  }
}

/**
 * A double as a number. MikroORM's own type returns text, for values that exceed a number; Berth
 * stores no such value.
 */
class Float extends Type<number, number> {
  override getColumnType(): string {
    return 'double precision'
  }

  override compareAsType(): string {
    return 'number'
  }
}

/** Addresses and CIDR blocks stay the text that PostgreSQL sends, which is their canonical form. */
class Cidr extends Type<string, string> {
  override getColumnType(): string {
    return 'cidr'
  }

  override compareAsType(): string {
    return 'string'
  }
}

class Inet extends Cidr {
  override getColumnType(): string {
    return 'inet'
  }
}

export const addresses = {
  block: () => p.type(Cidr).$type<string>(),
  one: () => p.type(Inet).$type<string>(),
}

/** JSON that contains messages, which keep their keys. Rows are parsed when they are read. */
class WithMessages extends JsonType {
  override convertToDatabaseValue(value: unknown): string | null {
    return value === null ? null : storedJson(value)
  }

  override convertToJSValue(value: unknown): unknown {
    return typeof value === 'string' ? parsedJson(value) : value
  }
}

export const messages = <Value>() => p.type(WithMessages).$type<Value>()

export const float = () => p.type(Float).$type<number>()

export const timestamp = () => p.type(TextTimestamp).$type<string>()

export const versionColumns = {
  version: p.integer().default(1),
  createdAt: timestamp().defaultRaw('now()'),
  updatedAt: timestamp().defaultRaw('now()'),
}
