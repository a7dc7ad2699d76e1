import { expect, test } from 'vitest'
import { type Schema, component, list, object, orNull } from '../json-schema.ts'
import { withComponents } from './components.ts'
import { type OpenApi } from './openapi.ts'

const text: Schema = { type: 'string' }
const nic = component({ name: 'Nic', description: 'A NIC.' }, object({ mac: text }))
const vm = component({ name: 'Vm' }, object({ 'nics?': list(nic), first: orNull(nic) }))

/** Returns the document of one operation whose response has the schema. */
const documentWith = (...schemas: Schema[]): OpenApi => ({
  openapi: '3.1.0',
  info: { title: '', version: '', summary: '', description: '', license: {} },
  servers: [],
  security: [],
  tags: [],
  components: { schemas: {}, securitySchemes: {} },
  paths: Object.fromEntries(
    schemas.map((schema, index) => [
      `/${index}`,
      {
        get: {
          operationId: '',
          summary: '',
          description: '',
          security: [],
          tags: [],
          parameters: [],
          responses: { 200: { description: '', content: { 'application/json': { schema } } } },
        },
      },
    ]),
  ),
})

const schemaAt = ({ paths }: OpenApi, path: string): Schema | undefined =>
  paths[path]?.['get']?.responses['200']?.content?.['application/json']?.schema

test('a named schema is in the document once, and each use refers to it', () => {
  const document = withComponents(documentWith(list(vm), { ...nic, description: 'The first NIC.' }))
  expect(document.components.schemas).toEqual({
    Nic: {
      description: 'A NIC.',
      type: 'object',
      required: ['mac'],
      properties: { mac: { type: 'string' } },
    },
    Vm: {
      type: 'object',
      required: ['first'],
      properties: {
        nics: { type: 'array', items: { $ref: '#/components/schemas/Nic' } },
        first: { anyOf: [{ $ref: '#/components/schemas/Nic' }, { type: 'null' }] },
      },
    },
  })
  expect(schemaAt(document, '/0')).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/Vm' },
  })
  expect(schemaAt(document, '/1')).toEqual({
    $ref: '#/components/schemas/Nic',
    description: 'The first NIC.',
  })
})

test('two different schemas with the same name are refused', () => {
  const other = component({ name: 'Nic' }, object({ ip: text }))
  expect(() => withComponents(documentWith(nic, other))).toThrow('Nic')
})
