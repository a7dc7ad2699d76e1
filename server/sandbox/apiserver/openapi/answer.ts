import { createHash } from 'node:crypto'
import { type JsonMap } from '../../objects/types.ts'
import { type Answer } from '../request.ts'
import { type Registry } from '../../kinds/registry.ts'
import { Documents } from './documents.ts'
import { protobufOf } from './protobuf.ts'

const secondTypes: Readonly<Record<string, 'json' | 'protobuf'>> = {
  '': 'json',
  '*/*': 'json',
  'application/*': 'json',
  'application/json': 'json',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf': 'protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf': 'protobuf',
}

/** A serialized document, with the hash of its content. */
interface Printed {
  content: Buffer
  hash: string
}

const json = (document: JsonMap): Buffer => Buffer.from(JSON.stringify(document))

/** The OpenAPI documents of one cluster. Each is serialized on its first request. */
export class OpenApi {
  readonly #documents: Documents
  readonly #printed = new Map<string, Printed>()

  constructor(registry: Registry) {
    this.#documents = new Documents(registry)
  }

  /** Returns null when the path has no document. */
  answer(path: string, query: URLSearchParams, accept: string): Answer | null {
    if (path === '/openapi/v2') return this.#second(accept)
    if (path === '/openapi/v3')
      return {
        status: 200,
        body: { paths: this.#index() },
        contentType: 'text/plain; charset=utf-8',
      }
    const [, name = ''] = /^\/openapi\/v3\/(.+)$/.exec(path) ?? []
    return this.#documents.paths.includes(name) ? this.#third(name, query) : null
  }

  #index(): JsonMap {
    return Object.fromEntries(
      this.#documents.paths.map((path) => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#printThird(path).hash}` },
      ]),
    )
  }

  /**
   * A response to a request with the current hash may be cached for ever. An old hash is
   * redirected.
   */
  #third(path: string, query: URLSearchParams): Answer {
    const { content, hash } = this.#printThird(path)
    const requestedHash = query.get('hash') ?? ''
    if (requestedHash !== '' && requestedHash !== hash) {
      return {
        status: 301,
        body: '',
        contentType: null,
        headers: { location: `/openapi/v3/${path}?hash=${hash}` },
      }
    }
    const lasting: Record<string, string> =
      requestedHash === '' ? {} : { 'cache-control': 'public, immutable' }
    return {
      status: 200,
      body: content,
      contentType: 'application/json',
      headers: { etag: `"${hash}"`, vary: 'Accept', ...lasting },
    }
  }

  #second(accept: string): Answer {
    const accepted = accept.split(',').map((each) => secondTypes[each.split(';')[0]?.trim() ?? ''])
    const type = accepted.find((each) => each !== undefined)
    if (!type) return { status: 406, body: '', contentType: null }
    const isJson = type === 'json'
    const { content, hash } = this.#print(`v2 ${type}`, () => {
      const document = this.#documents.second()
      return isJson ? json(document) : protobufOf(document)
    })
    const contentType = isJson
      ? 'application/json'
      : 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
    const headers = { etag: `"${hash}"`, vary: 'Accept' }
    return { status: 200, body: content, contentType, headers }
  }

  #printThird(path: string): Printed {
    return this.#print(path, () => json(this.#documents.third(path)))
  }

  #print(key: string, make: () => Buffer): Printed {
    const cached = this.#printed.get(key)
    if (cached) return cached
    const content = make()
    const printed = {
      content,
      hash: createHash('sha512').update(content).digest('hex').toUpperCase(),
    }
    this.#printed.set(key, printed)
    return printed
  }
}
