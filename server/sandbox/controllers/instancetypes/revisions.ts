import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { type Matcher, findMatched } from '../../instancetypes/find.ts'

const matchers: readonly Matcher[] = ['instancetype', 'preference']

/**
 * Stores the instance type and preference of the VM as ControllerRevisions, so that later changes
 * do not affect the VM. Returns the status that refers to them; null when it already does.
 */
export function storeRevisions(client: Client, vm: KubeObject): JsonMap | null {
  const status = read.status(vm)
  const refs = matchers.flatMap((matcher) => {
    const ref = refFor(client, vm, matcher)
    return ref === null ? [] : [[`${matcher}Ref`, ref] as const]
  })
  return refs.length === 0 ? null : { ...status, ...Object.fromEntries(refs) }
}

function refFor(client: Client, vm: KubeObject, matcher: Matcher): JsonMap | null {
  const found = findMatched(client, vm, matcher)
  // An object found in a revision is stored already.
  if (!found || !('object' in found) || found.object === undefined) return null
  const { name, kind } = read.map(read.spec(vm)[matcher])
  return filled({
    name,
    kind,
    controllerRevisionRef: { name: revisionFor(client, vm, found.object) },
  })
}

const label = (what: string): string => `instancetype.kubevirt.io/object-${what}`

function revisionFor(
  client: Client,
  vm: KubeObject,
  { kind, apiVersion, metadata, spec }: KubeObject,
): string {
  const { namespace = '' } = vm.metadata
  const [, version = ''] = apiVersion.split('/')
  const { uid = '', generation = 1 } = metadata
  const name = `${vm.metadata.name}-${metadata.name}-${version}-${uid}-${generation}`
  if (client.get('controllerrevisions.apps', namespace, name)) return name
  const labels = {
    [label('generation')]: String(generation),
    [label('kind')]: kind,
    [label('name')]: metadata.name,
    [label('uid')]: uid,
    [label('version')]: version,
  }
  const { creationTimestamp, resourceVersion } = metadata
  client.create('controllerrevisions.apps', {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name, namespace, labels, ownerReferences: [ownedBy(vm)] },
    data: {
      kind,
      apiVersion,
      metadata: filled({
        name: metadata.name,
        uid,
        generation,
        creationTimestamp,
        resourceVersion,
      }),
      spec,
    },
    revision: 0,
  })
  return name
}
