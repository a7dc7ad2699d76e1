import { createHash } from 'node:crypto'
import { type JsonMap } from '../types.ts'
import { type Answer } from '../request.ts'
import { secondDocument, thirdDocument, thirdPaths } from './documents.ts'
import { protobufOf } from './protobuf.ts'

/** A document and what tells it from what it was before. */
interface Printed {
  content: Buffer
  hash: string
}

const printed = new Map<string, Printed>()

function print(key: string, make: () => Buffer): Printed {
  const known = printed.get(key)
  if (known) return known
  const content = make()
  const made = { content, hash: createHash('sha512').update(content).digest('hex').toUpperCase() }
  printed.set(key, made)
  return made
}

const json = (make: () => JsonMap) => (): Buffer => Buffer.from(JSON.stringify(make()))

const third = (path: string): Printed =>
  print(
    path,
    json(() => thirdDocument(path)),
  )

/** The descriptions of what is served; null when the path is none of them. */
export function describe(path: string, query: URLSearchParams, accept: string): Answer | null {
  if (path === '/openapi/v2') return secondAnswer(accept)
  if (path === '/openapi/v3')
    return { status: 200, body: { paths: index() }, contentType: 'text/plain; charset=utf-8' }
  const [, name = ''] = /^\/openapi\/v3\/(.+)$/.exec(path) ?? []
  return thirdPaths.includes(name) ? thirdAnswer(name, query) : null
}

const index = (): JsonMap =>
  Object.fromEntries(
    thirdPaths.map((path) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${third(path).hash}` },
    ]),
  )

/** What is asked for with its hash may be kept for ever; an old hash leads to the new one. */
function thirdAnswer(path: string, query: URLSearchParams): Answer {
  const { content, hash } = third(path)
  const asked = query.get('hash') ?? ''
  if (asked !== '' && asked !== hash) {
    return {
      status: 301,
      body: '',
      contentType: null,
      headers: { location: `/openapi/v3/${path}?hash=${hash}` },
    }
  }
  const lasting: Record<string, string> =
    asked === '' ? {} : { 'cache-control': 'public, immutable' }
  return {
    status: 200,
    body: content,
    contentType: 'application/json',
    headers: { etag: `"${hash}"`, vary: 'Accept', ...lasting },
  }
}

const secondTypes: Readonly<Record<string, 'json' | 'protobuf'>> = {
  '': 'json',
  '*/*': 'json',
  'application/*': 'json',
  'application/json': 'json',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf': 'protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf': 'protobuf',
}

function secondAnswer(accept: string): Answer {
  const wanted = accept.split(',').map((each) => secondTypes[each.split(';')[0]?.trim() ?? ''])
  const type = wanted.find((each) => each !== undefined)
  if (!type) return { status: 406, body: '', contentType: null }
  const isJson = type === 'json'
  const make = isJson ? json(secondDocument) : (): Buffer => protobufOf(secondDocument())
  const { content, hash } = print(`v2 ${type}`, make)
  const contentType = isJson
    ? 'application/json'
    : 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
  return { status: 200, body: content, contentType, headers: { etag: `"${hash}"`, vary: 'Accept' } }
}
