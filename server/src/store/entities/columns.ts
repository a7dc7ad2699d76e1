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

/** MikroORM's own type makes texts of them, in case that they are longer than a number can be; ours never are. */
class Float extends Type<number, number> {
  override getColumnType(): string {
    return 'double precision'
  }

  override compareAsType(): string {
    return 'number'
  }
}

export const float = () => p.type(Float).$type<number>()

export const timestamp = () => p.type(TextTimestamp).$type<string>()

export const bookkept = {
  version: p.integer().default(1),
  createdAt: timestamp().defaultRaw('now()'),
  updatedAt: timestamp().defaultRaw('now()'),
}
