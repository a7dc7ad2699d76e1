import { clock } from '../../clock.ts'
import { objectInBody } from '../requests/body.ts'
import { writeOptions } from '../requests/options.ts'
import { registry } from '../../kinds/registry.ts'
import { type Answer, type Call } from '../request.ts'
import { type Cause } from '../../objects/cause.ts'
import { invalidObject, refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { accountUser } from './account.ts'
import { tokenRequests } from './rows.ts'
import { issuer } from './tokens.ts'

const minSeconds = 600
const maxSeconds = 2 ** 32
const defaultSeconds = 3600

/** Issues a token for a service account. */
export function requestToken(call: Call): Answer {
  const options = writeOptions(call.query, 'CreateOptions')
  const { object, warnings } = objectInBody({ ...call, resource: tokenRequests }, options)
  const account = accountAt(call)
  const { name, namespace = '' } = account.metadata
  const seconds =
    dig.any(object, 'spec.expirationSeconds') === undefined
      ? defaultSeconds
      : dig.number(object, 'spec.expirationSeconds')
  const causes = secondsCauses(seconds)
  if (causes.length > 0) throw invalidObject(tokenRequests, '', causes)
  const requestedAudiences = dig.texts(object, 'spec.audiences')
  const audiences = requestedAudiences.length > 0 ? requestedAudiences : [issuer]
  const claims = {
    sub: accountUser({ namespace, name }),
    'kubernetes.io': { namespace, ...boundTo(call, account, object) },
  }
  const token = call.tokens.issue(claims, { audiences, seconds })
  const { apiVersion, kind } = object
  const boundObjectRef: Json = dig.any(object, 'spec.boundObjectRef') ?? null
  const body = {
    kind,
    apiVersion,
    metadata: { name, namespace, creationTimestamp: clock.timestamp() },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef },
    status: {
      token,
      expirationTimestamp: new Date(clock.nowMs() + seconds * 1000)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    },
  }
  return { status: 201, body: JSON.stringify(body), warnings }
}

function accountAt({ store, resource, namespace, name = '' }: Call): KubeObject {
  const account = store.get(resource, namespace, name)
  if (!account) throw refuse.notFound(resource, name)
  return account
}

function secondsCauses(seconds: number): Cause[] {
  const wrong = (why: string): Cause[] => [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${seconds}: ${why}`,
      field: 'spec.expirationSeconds',
    },
  ]
  if (seconds < minSeconds) return wrong('may not specify a duration less than 10 minutes')
  return seconds > maxSeconds ? wrong('may not specify a duration larger than 2^32 seconds') : []
}

const bindable: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets' }

/** Returns the account, and the object whose deletion invalidates the token. */
function boundTo({ store, namespace }: Call, account: KubeObject, request: KubeObject): JsonMap {
  const identified = ({ metadata: { name, uid } }: KubeObject): JsonMap => ({ name, uid })
  const own = { serviceaccount: identified(account) }
  const [kind, name] = [
    dig.text(request, 'spec.boundObjectRef.kind'),
    dig.text(request, 'spec.boundObjectRef.name'),
  ]
  if (kind === '') return own
  const plural = bindable[kind]
  if (plural === undefined)
    throw refuse.badRequest(`cannot bind token for serviceaccount to type ${kind}`)
  const object = store.get(registry.named(plural), namespace, name)
  if (!object) throw refuse.notFound(registry.named(plural), name)
  const uid = dig.text(request, 'spec.boundObjectRef.uid')
  if (uid !== '' && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
    throw refuse.conflict(registry.named(plural), name, why)
  }
  return { ...own, [kind.toLowerCase()]: identified(object) }
}
