import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'

/** The two kinds of objects that a VM can refer to for its size and defaults. */
export type Matcher = 'instancetype' | 'preference'

/** Reads objects of the cluster. */
export interface Reader {
  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined
}

/**
 * The spec, with its object unless it comes from a revision; null when the VM names none; else why
 * it is missing.
 */
export type Found = { spec: JsonMap; object?: KubeObject } | { missing: string } | null

const kindNames: Record<Matcher, readonly [namespaced: string, cluster: string]> = {
  instancetype: ['virtualmachineinstancetype', 'virtualmachineclusterinstancetype'],
  preference: ['virtualmachinepreference', 'virtualmachineclusterpreference'],
}

/**
 * Finds the object that the VM names: its stored revision if there is one, else the current object.
 */
export function findMatched(reader: Reader, vm: KubeObject, matcher: Matcher): Found {
  const named = read.spec(vm)[matcher]
  if (named === undefined) return null
  const revision = revisionOf(vm, matcher)
  if (revision !== '') return findRevision(reader, vm, revision)
  const kind = read.text(read.at(named, 'kind'))
  const resource = resourceFor(matcher, kind)
  if (resource === null)
    return {
      missing: `got unexpected kind in ${matcher === 'instancetype' ? 'Instancetype' : 'Preference'}Matcher: ${kind}`,
    }
  const name = read.text(read.at(named, 'name'))
  const object = reader.get(
    resource.kind,
    resource.namespaced ? vm.metadata.namespace : undefined,
    name,
  )
  return object
    ? { spec: read.spec(object), object }
    : { missing: `${resource.kind} "${name}" not found` }
}

/** The revision that the VM names, else the one that the controller stored for the same object. */
function revisionOf(vm: KubeObject, matcher: Matcher): string {
  const named = read.map(read.spec(vm)[matcher])
  const requested = read.text(named.revisionName)
  if (requested !== '') return requested
  const ref = read.map(read.status(vm)[`${matcher}Ref`])
  const isSame = ref.name === named.name && (named.kind === undefined || ref.kind === named.kind)
  return isSame ? read.text(read.at(ref.controllerRevisionRef, 'name')) : ''
}

function findRevision(
  reader: Reader,
  { metadata: { namespace } }: KubeObject,
  name: string,
): Found {
  const revision = reader.get('controllerrevisions.apps', namespace, name)
  return revision
    ? { spec: read.map(read.at(revision.data, 'spec')) }
    : { missing: `controllerrevisions.apps "${name}" not found` }
}

function resourceFor(matcher: Matcher, kind: string): { kind: string; namespaced: boolean } | null {
  const [namespaced, cluster] = kindNames[matcher]
  const requested = kind.toLowerCase()
  if (requested === '' || requested === cluster || requested === `${cluster}s`)
    return { kind: `${cluster}s.instancetype.kubevirt.io`, namespaced: false }
  if (requested === namespaced || requested === `${namespaced}s`)
    return { kind: `${namespaced}s.instancetype.kubevirt.io`, namespaced: true }
  return null
}
