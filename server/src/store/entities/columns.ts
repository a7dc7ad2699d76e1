import { Type, p } from '@mikro-orm/core'

/** Timestamps stay the text that PostgreSQL sends: parsing them is what a list costs most, and only the edge shows them. */
class TextTimestamp extends Type<string, string> {
  override getColumnType(): string {
    return 'timestamptz'
  }

  override compareAsType(): string {
    return 'string'
  }
}

export const timestamp = () => p.type(TextTimestamp).$type<string>()

export const bookkept = {
  version: p.integer().default(1),
  createdAt: timestamp().defaultRaw('now()'),
  updatedAt: timestamp().defaultRaw('now()'),
}
