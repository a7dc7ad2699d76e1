import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Answer, type Call } from './request.ts'
import { type ListOptions, listOptions, versionError } from './requests/list-options.ts'
import { shapedList, shapedObject } from './shape.ts'
import { refuse } from '../objects/status.ts'
import { selectorOf } from './requests/selectors.ts'

/** Handles GET of one object. */
export function readObject(call: Call): Answer {
  const { resource, store, namespace, name = '' } = call
  const version = call.query.get('resourceVersion') ?? ''
  if (version !== '' && !/^\d+$/.test(version)) throw refuse.internal(versionError(version))
  if (version !== '' && Number(version) > store.version)
    throw refuse.futureVersion(version, store.version)
  const object = store.get(resource, namespace, name)
  if (!object) throw refuse.notFound(resource, name)
  return { status: 200, body: shapedObject(call, object) }
}

interface Page {
  items: KubeObject[]
  version: number
  next: string
  remaining: number
}

/** Handles GET of a collection: returns one page of a list. */
export function listObjects(call: Call): Answer {
  const selects = selectorOf(call.resource, call.query)
  const options = listOptions(call.query)
  const page =
    options.continueToken === '' ? firstPage(call, options) : continuedPage(call, options)
  const items = selects ? page.items.filter(selects) : page.items
  // A list with resourceVersion 0 comes from the watch cache, which ignores `limit`.
  const limit = options.version === '0' || options.limit === 0 ? Infinity : options.limit
  const included = items.slice(0, limit)
  const metadata: JsonMap = { resourceVersion: String(page.version) }
  const last = included.at(-1)
  if (last && included.length < items.length) {
    metadata.continue = tokenAfter(call, last, page.version)
    if (!selects) metadata.remainingItemCount = items.length - included.length
  }
  return { status: 200, body: shapedList(call, metadata, included) }
}

function firstPage(call: Call, { version, match }: ListOptions): Pick<Page, 'items' | 'version'> {
  const { store, resource, namespace } = call
  if (version !== '' && !/^\d+$/.test(version))
    throw refuse.badRequest(`invalid resource version: ${versionError(version)}`)
  const requested = Number(version)
  if (requested > store.version) throw refuse.futureVersion(version, store.version)
  if (match !== 'Exact') return { items: store.list(resource, namespace), version: store.version }
  if (requested < store.oldestVersion(resource))
    throw refuse.expired('The resourceVersion for the provided list is too old.')
  return { items: store.listAt(resource, requested, namespace), version: requested }
}

interface Token {
  v: 'meta.k8s.io/v1'
  /** The resourceVersion of the first page. -1 continues with the current state. */
  rv: number
  start: string
}

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

function continuedPage(
  call: Call,
  { continueToken, version }: ListOptions,
): Pick<Page, 'items' | 'version'> {
  const { store, resource, namespace } = call
  const token = parseToken(continueToken)
  if (version !== '' && version !== '0')
    throw refuse.badRequest('specifying resource version is not allowed when using continue')
  if (token.rv >= 0 && token.rv < store.oldestVersion(resource)) {
    throw refuse.expired(tooOld, { continue: encodeToken({ ...token, rv: -1 }) })
  }
  const at = token.rv < 0 ? store.version : token.rv
  const items = store
    .listAt(resource, at, namespace)
    .filter((object) => positionOf(call, object) >= token.start)
  return { items, version: at }
}

/** The position is the name within one namespace, and namespace and name across namespaces. */
const positionOf = (call: Call, { metadata }: KubeObject): string =>
  call.namespace === undefined && call.resource.namespaced
    ? `${metadata.namespace}/${metadata.name}`
    : metadata.name

const tokenAfter = (call: Call, last: KubeObject, version: number): string =>
  encodeToken({ v: 'meta.k8s.io/v1', rv: version, start: `${positionOf(call, last)}\u0000` })

const encodeToken = (token: Token): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url')

function parseToken(text: string): Token {
  const bytes = Buffer.from(text, 'base64url')
  try {
    // The fields are checked below.
    const token = JSON.parse(bytes.toString('utf8')) as Partial<Token>
    if (typeof token.rv === 'number' && typeof token.start === 'string')
      return { v: 'meta.k8s.io/v1', rv: token.rv, start: token.start }
  } catch {
    const first = String.fromCharCode(bytes[0] ?? 0)
    throw refuse.badRequest(
      `invalid continue token: continue key is not valid: invalid character '${first}' looking for beginning of value`,
    )
  }
  throw refuse.badRequest(
    'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  )
}
