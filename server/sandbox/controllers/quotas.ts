import { isDeepStrictEqual } from 'node:util'
import { countedKinds, usedOf } from '../admission/namespace/quota.ts'
import { written } from '../admission/namespace/amount.ts'
import { registry } from '../apiserver/registry.ts'
import { resourceName } from '../apiserver/resource.ts'
import { type KubeObject } from '../apiserver/types.ts'
import { type Controller, type Source, ownKey } from './controller.ts'
import { type Desk } from './desk.ts'
import { read } from './read.ts'

/** Says on each quota what its namespace uses of it. Whoever creates something is not told from here but counts anew. */
export const quotas: Controller = {
  name: 'resourcequota-controller',
  sources: [{ kind: 'resourcequotas', keysOf: ownKey }, ...everythingElse()],
  reconcile(desk, { namespace, name }) {
    const quota = desk.get('resourcequotas', namespace, name)
    if (!quota) return undefined
    const hard = read.map(read.spec(quota).hard)
    const amounts = usedOf(quota, { list: (kind, place) => desk.list(kind, place) })
    const used = Object.fromEntries(Object.entries(amounts).map(([each, amount]) => [each, written(amount)]))
    const status = { hard, used }
    if (!isDeepStrictEqual(read.status(quota), status)) desk.setStatus('resourcequotas', quota, status)
    return undefined
  },
}

function everythingElse(): Source[] {
  const kinds = registry.all.filter(({ namespaced, plural }) => namespaced && plural !== 'resourcequotas' && plural !== 'events')
  return kinds.map((resource) => ({
    kind: resourceName(resource),
    keysOf: (object, desk) => concerned(resourceName(resource), object, desk),
  }))
}

const concerned = (kind: string, { metadata: { namespace } }: KubeObject, desk: Desk): ReturnType<typeof ownKey> =>
  desk
    .list('resourcequotas', namespace)
    .filter((quota) => countedKinds(Object.keys(read.map(read.spec(quota).hard))).includes(kind))
    .flatMap(ownKey)
