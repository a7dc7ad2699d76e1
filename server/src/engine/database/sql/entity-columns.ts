import { JsonType, Type, p } from '@mikro-orm/core'
import { parsedJson, storedJson } from '../../model/message.ts'

/**
 * Timestamps stay the text that PostgreSQL sends: parsing them is what a list costs most, and only
 * the edge shows them.
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
 * MikroORM's own type makes texts of them, in case that they are longer than a number can be; ours
 * never are.
 */
class Float extends Type<number, number> {
  override getColumnType(): string {
    return 'double precision'
  }

  override compareAsType(): string {
    return 'number'
  }
}

/**
 * Addresses and blocks of them stay the text that PostgreSQL sends, which is their canonical form.
 */
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

/** JSON that holds messages, which keep their keys. It is parsed where rows are read. */
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

export const bookkept = {
  version: p.integer().default(1),
  createdAt: timestamp().defaultRaw('now()'),
  updatedAt: timestamp().defaultRaw('now()'),
}
