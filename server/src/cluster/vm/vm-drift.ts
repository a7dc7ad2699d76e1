import { type DriftPart, type VmDifference } from '../../domain/vm-drift/drift.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { differingPaths, foreignNames } from '../../engine/kube/content/difference.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'
import { type DesiredObject } from '../desired/desired.ts'
import { type DesiredVm } from '../desired/vm.ts'
import { manifestOf } from '../objects.ts'
import { type VmDriftWriter } from '../writer.ts'
import { memoryMiOf, vcpusOf } from './found-vm.ts'
import { vmManifestVersion } from './manifest-vm.ts'
import { devices, foreignSettingsOf, vmTemplate } from './vm-fields.ts'

type DesiredVmObject = DesiredObject<'vm'>

/** Compares the VirtualMachine in the cluster with the desired one, and removes foreign parts. */
export const vmDriftWriter = (transport: Transport): VmDriftWriter => ({
  async compareVm(desired) {
    const vm = await readObject(transport, manifestOf(desired))
    if (!vm || vm.metadata.uid !== desired.uid) return null
    return {
      generation: observedObject(vm).generation,
      differences: differencesBetween(remaining(desired), vm),
    }
  },

  removeForeignParts: (desired) =>
    remove(transport, desired, (vm) => [
      ...partLists.flatMap((path) => removalsFrom(path, manifestOf(desired).content, vm)),
      ...foreignSettingsOf(vm).map((path) => ({ op: 'remove', path: `/${path.join('/')}` })),
    ]),

  removeAllParts: (desired) => remove(transport, desired, allParts),
})

async function remove(
  transport: Transport,
  desired: DesiredVmObject,
  removalsOf: (vm: ApiObject) => unknown[],
): Promise<void> {
  const manifest = manifestOf(desired)
  const vm = await readObject(transport, manifest)
  if (!vm || vm.metadata.uid !== desired.uid) return
  const removals = removalsOf(vm)
  if (removals.length === 0) return
  const { of, name } = manifest
  await transport.call({
    method: 'PATCH',
    of,
    ...(manifest.namespace === undefined ? {} : { namespace: manifest.namespace }),
    name,
    contentType: 'application/json-patch+json',
    body: [{ op: 'test', path: '/metadata/uid', value: desired.uid }, ...removals],
  })
}

const allParts = (vm: ApiObject): unknown[] =>
  partLists
    .filter((path) => fieldAt(vm, ...path) !== undefined)
    .map((path) => ({ op: 'remove', path: `/${path.join('/')}` }))

const partLists = [
  [...devices, 'disks'],
  [...vmTemplate, 'volumes'],
  [...devices, 'interfaces'],
  [...vmTemplate, 'networks'],
] as const

/** The removals go from the last item to the first, so that the indexes stay right. */
function removalsFrom(path: readonly string[], content: unknown, vm: ApiObject): unknown[] {
  const found = listAt(vm, ...path)
  const foreign = foreignNames(listAt(content, ...path), found)
  return found
    .map((item, index) => ({ name: textAt(item, 'name') ?? '', at: `/${path.join('/')}/${index}` }))
    .filter(({ name }) => foreign.includes(name))
    .reverse()
    .flatMap(({ name, at }) => [
      { op: 'test', path: `${at}/name`, value: name },
      { op: 'remove', path: at },
    ])
}

/** KubeVirt removes a leaving NIC from the spec at a time of its own. */
const remaining = (desired: DesiredVmObject): DesiredVmObject => ({
  ...desired,
  spec: { ...desired.spec, nics: desired.spec.nics.filter(({ isLeaving }) => !isLeaving) },
})

/** Lists the parts in which the VirtualMachine differs from the desired one. */
export function differencesBetween(desired: DesiredVmObject, vm: ApiObject): VmDifference[] {
  const values = [
    powerDifference(desired.spec, vm),
    cpuDifference(desired.spec, vm),
    memoryDifference(desired.spec, vm),
  ].filter((each) => each !== null)
  const leaving = leavingNics(vm)
  const otherParts = [
    ...(isOfThisRelease(vm)
      ? differingPaths(manifestOf(desired).content?.['spec'], fieldAt(vm, 'spec'), 'spec')
      : []),
    ...foreignSettingsOf(vm).map((path) => path.join('.')),
  ]
    .filter((path) => !leaving.some((name) => path.endsWith(`[${name}]`)))
    .map(partAt)
    .filter((part) => !values.some((each) => each.part === part))
    // A value that is right although its fields differ cannot be accepted as a value.
    .map((part) => (isValue(part) ? 'settings' : part))
  return [
    ...values,
    ...[...new Set(otherParts)].map((part) => ({ part, desired: null, found: null })),
  ]
}

const isOfThisRelease = (vm: ApiObject): boolean =>
  textAt(vm, 'metadata', 'annotations', vmManifestVersion.name) === vmManifestVersion.value

function powerDifference({ power }: DesiredVm, vm: ApiObject): VmDifference | null {
  const strategy = textAt(vm, 'spec', 'runStrategy')
  const found = strategy === 'Halted' ? 'off' : 'on'
  return found === power ? null : { part: 'power', desired: power, found }
}

function cpuDifference({ vcpus }: DesiredVm, vm: ApiObject): VmDifference | null {
  const found = vcpusOf(vm)
  return found === vcpus ? null : { part: 'cpu', desired: String(vcpus), found: String(found) }
}

function memoryDifference({ memoryMi }: DesiredVm, vm: ApiObject): VmDifference | null {
  const found = memoryMiOf(vm)
  if (found === memoryMi) return null
  return { part: 'memory', desired: String(memoryMi), found: found === null ? null : String(found) }
}

const leavingNics = (vm: ApiObject): string[] =>
  listAt(vm, ...devices, 'interfaces').flatMap((each) =>
    textAt(each, 'state') === 'absent' ? (textAt(each, 'name') ?? []) : [],
  )

const isValue = (part: DriftPart): boolean => ['power', 'cpu', 'memory'].includes(part)

const partsByPath: readonly (readonly [RegExp, DriftPart])[] = [
  [/^spec\.runStrategy/, 'power'],
  [/\.domain\.cpu/, 'cpu'],
  [/\.domain\.memory/, 'memory'],
  [/\.(volumes|disks)/, 'disks'],
  [/\.(networks|interfaces)/, 'nics'],
]

const partAt = (path: string): DriftPart =>
  partsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? 'settings'
