import { assertEnumType } from 'graphql'
import { expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'

test('the description of each kind of change names a type of the schema', () => {
  const schema = buildBerthSchema()
  const kinds = assertEnumType(schema.getType('ChangeKind')).getValues()
  const typeOf = ({ description }: { description?: string | null }) =>
    schema.getType(/`(\w+)`/.exec(description ?? '')?.[1] ?? '')
  expect(kinds.length).toBeGreaterThan(10)
  expect(kinds.filter((kind) => !typeOf(kind)).map(({ name }) => name)).toEqual([])
})
