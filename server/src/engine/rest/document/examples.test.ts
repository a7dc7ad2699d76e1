import { expect, test } from 'vitest'
import { type Parameter } from './parameters.ts'
import { withExamples } from './examples.ts'

const parameter = (
  location: Parameter['in'],
  name: string,
  type: 'string' | 'integer' = 'string',
): Parameter => ({ name, in: location, description: '', schema: { type } })

test('a parameter in the document has the value of the recorded request', () => {
  const parameters = [
    parameter('path', 'name'),
    parameter('path', 'volume_id'),
    parameter('query', 'tail', 'integer'),
    parameter('query', 'sort'),
    parameter('header', 'name'),
  ]
  const path = '/api/v1/vms/db-1/volumes/v-2?tail=2'
  const shown = withExamples(parameters, '/api/v1/vms/{name}/volumes/{volume_id}', { path })
  expect(shown.map(({ example }) => example)).toEqual(['db-1', 'v-2', 2, undefined, undefined])
})
