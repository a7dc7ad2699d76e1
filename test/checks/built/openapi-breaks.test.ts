import { describe, expect, test } from 'vitest'
import { type OpenApiDocument, openApiBreaks } from './openapi-breaks.ts'

type Schema = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>[string]

const text = { type: 'string' }
const whole = { type: 'integer' }

const vm: Schema = {
  type: 'object',
  required: ['name', 'cpu'],
  properties: {
    name: text,
    cpu: whole,
    state: { type: 'string', enum: ['on', 'off'] },
    fault: { type: ['object', 'null'], properties: { code: text } },
    tags: { type: 'array', items: text },
  },
}
const newVm: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 50 },
    cpu: { type: 'integer', minimum: 1 },
    size: { type: ['string', 'null'], enum: ['small', 'large'] },
  },
}
const filter = { name: 'filter', in: 'query', schema: text }

interface Parts {
  request?: Schema
  response?: Schema
  operation?: object
  path?: string
}

/** Returns a document with one operation, which differs from the usual one by the given parts. */
const documentWith = ({
  request = newVm,
  response = vm,
  operation = {},
  path = '/vms',
}: Parts = {}): OpenApiDocument => ({
  paths: {
    [path]: {
      post: {
        operationId: 'createVm',
        parameters: [filter],
        requestBody: { required: false, content: { 'application/json': { schema: request } } },
        responses: {
          201: { headers: { Location: {} }, content: { 'application/json': { schema: response } } },
          409: { content: {} },
        },
        ...operation,
      },
    },
  },
})

const breaksOf = (parts: Parts): string[] => openApiBreaks(documentWith(), documentWith(parts))
const withProperty = (schema: Schema, name: string, property: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, [name]: property },
})
const without = (schema: Schema, name: string): Schema => {
  const { [name]: _gone, ...properties } = schema.properties ?? {}
  return { ...schema, properties, required: schema.required?.filter((each) => each !== name) ?? [] }
}

describe('a breaking change of the REST interface', () => {
  test.each<[string, Parts, string]>([
    ['a removed path', { path: '/machines' }, 'the operation is gone'],
    ['a renamed operation', { operation: { operationId: 'makeVm' } }, 'is now called makeVm'],
    ['a removed parameter', { operation: { parameters: [] } }, 'query parameter filter is gone'],
    [
      'a new required parameter',
      { operation: { parameters: [filter, { ...filter, name: 'tag', required: true }] } },
      'query parameter tag is new and required',
    ],
    [
      'a parameter that becomes required',
      { operation: { parameters: [{ ...filter, required: true }] } },
      'query parameter filter is now required',
    ],
    [
      'a narrowed parameter',
      { operation: { parameters: [{ ...filter, schema: { ...text, enum: ['a'] } }] } },
      'only listed values are left',
    ],
    ['a removed request body', { operation: { requestBody: undefined } }, 'body is gone'],
    [
      'a request body that becomes required',
      { operation: { requestBody: { required: true, content: {} } } },
      'body is now required',
    ],
    ['a removed request field', { request: without(newVm, 'cpu') }, 'request.cpu is gone'],
    [
      'a new required request field',
      { request: { ...withProperty(newVm, 'zone', text), required: ['name', 'zone'] } },
      'request.zone is now required',
    ],
    [
      'a request field that becomes required',
      { request: { ...newVm, required: ['name', 'cpu'] } },
      'request.cpu is now required',
    ],
    [
      'another type of a request field',
      { request: withProperty(newVm, 'cpu', { type: 'string' }) },
      'request.cpu: integer does not fit string',
    ],
    [
      'a request field that may no longer be null',
      { request: withProperty(newVm, 'size', { type: 'string', enum: ['small', 'large'] }) },
      'request.size: null does not fit string',
    ],
    [
      'a removed request value',
      { request: withProperty(newVm, 'size', { type: ['string', 'null'], enum: ['small'] }) },
      'request.size: large is no value any more',
    ],
    [
      'a higher minimum',
      { request: withProperty(newVm, 'cpu', { type: 'integer', minimum: 2 }) },
      'request.cpu: minimum is higher',
    ],
    [
      'a lower limit of characters',
      { request: withProperty(newVm, 'name', { type: 'string', maxLength: 20 }) },
      'request.name: maxLength is lower',
    ],
    [
      'a new pattern',
      { request: withProperty(newVm, 'name', { type: 'string', maxLength: 50, pattern: 'a' }) },
      'request.name: the pattern is another one',
    ],
    ['a removed status', { operation: { responses: {} } }, 'response 201 is gone'],
    [
      'a removed header',
      { operation: { responses: { 201: { content: { 'application/json': { schema: vm } } } } } },
      'response 201 has no header Location any more',
    ],
    [
      'another media type',
      {
        operation: {
          responses: {
            201: { headers: { Location: {} }, content: { 'text/plain': { schema: text } } },
          },
        },
      },
      'response 201 has no application/json any more',
    ],
    ['a removed property', { response: without(vm, 'state') }, 'response 201.state is gone'],
    [
      'a property that becomes optional',
      { response: { ...vm, required: ['name'] } },
      'response 201.cpu is no longer always there',
    ],
    [
      'a property that may become null',
      { response: withProperty(vm, 'cpu', { type: ['integer', 'null'] }) },
      'response 201.cpu: null does not fit integer',
    ],
    [
      'another type inside a nullable object',
      {
        response: withProperty(vm, 'fault', {
          anyOf: [{ type: 'object', properties: { code: whole } }, { type: 'null' }],
        }),
      },
      'response 201.fault.code: integer does not fit string',
    ],
    [
      'another type in a list',
      { response: withProperty(vm, 'tags', { type: 'array', items: whole }) },
      'response 201.tags[]: integer does not fit string',
    ],
    [
      'another format',
      { response: withProperty(vm, 'name', { type: 'string', format: 'uuid' }) },
      'response 201.name: the format is another one',
    ],
  ])('%s breaks clients', (_name, parts, message) => {
    expect(breaksOf(parts)).toEqual([expect.stringContaining(message)])
  })

  test.each<[string, Parts]>([
    ['no change', {}],
    ['an operation id in another case', { operation: { operationId: 'CreateVm' } }],
    ['a new optional request field', { request: withProperty(newVm, 'zone', text) }],
    [
      'a wider request type',
      { request: withProperty(newVm, 'cpu', { type: 'number', minimum: 1 }) },
    ],
    ['a new property', { response: withProperty(vm, 'zone', text) }],
    [
      'a new value in a response',
      { response: withProperty(vm, 'state', { type: 'string', enum: ['on', 'off', 'lost'] }) },
    ],
    [
      'another way to write null',
      {
        response: withProperty(vm, 'fault', {
          anyOf: [{ type: 'object', properties: { code: text } }, { type: 'null' }],
        }),
      },
    ],
    [
      'a refusal that is no longer possible',
      {
        operation: { responses: { 201: documentWith().paths['/vms']?.['post']?.responses['201'] } },
      },
    ],
  ])('%s does not break clients', (_name, parts) => {
    expect(breaksOf(parts)).toEqual([])
  })

  test('a schema that gets a name does not break clients, and a change in it does', () => {
    const named = (schema: Schema): OpenApiDocument => ({
      ...documentWith({ response: { $ref: '#/components/schemas/Vm' } }),
      components: { schemas: { Vm: schema } },
    })
    expect(openApiBreaks(documentWith(), named(vm))).toEqual([])
    expect(openApiBreaks(named(vm), named(without(vm, 'state')))).toEqual([
      'POST /vms: response 201.state is gone',
    ])
  })

  test('a choice that the check cannot compare is refused', () => {
    expect(() => breaksOf({ response: { anyOf: [text, whole] } })).toThrow('anyOf')
  })
})
