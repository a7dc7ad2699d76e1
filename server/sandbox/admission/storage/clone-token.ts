import { createHmac, randomBytes } from 'node:crypto'
import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'

export const tokenAnnotation = 'cdi.kubevirt.io/storage.clone.token'

/** Only this process verifies the tokens, so the key is not stored. */
const secret = randomBytes(32)
const lifetimeSeconds = 300

const encoded = (value: JsonMap): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a token which proves that the creator of the clone may read its source. */
export function cloneToken(
  { metadata }: KubeObject,
  { kind, source }: { kind: 'pvc' | 'snapshot'; source: JsonMap },
): string {
  const now = Math.floor(clock.nowMs() / 1000)
  const resource =
    kind === 'pvc'
      ? { group: '', resource: 'persistentvolumeclaims', version: 'v1' }
      : { group: 'snapshot.storage.k8s.io', resource: 'volumesnapshots', version: 'v1' }
  const claims = {
    exp: now + lifetimeSeconds,
    iat: now,
    iss: 'cdi-apiserver',
    name: source.name,
    namespace: source.namespace,
    nbf: now,
    operation: 'Clone',
    params: { targetName: metadata.name, targetNamespace: metadata.namespace },
    resource,
  }
  const signed = `${encoded({ alg: 'PS256' })}.${encoded(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
