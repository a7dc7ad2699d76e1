import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type KubeObject } from '../../objects/types.ts'
import { cause, denyIfAny, unreadable } from '../refusals.ts'
import { changeCauses, vmReferenceCauses } from './snapshots.ts'
import { read } from '../../objects/read.ts'
import { copiedVm } from '../../objects/vms/snapshot-content.ts'
import { hasBackendStorage } from '../../objects/vms/vm-volumes.ts'

const webhook = 'virtualmachinerestore-validator.snapshot.kubevirt.io'

/** Validates a VirtualMachineRestore. It may name a missing snapshot: the restore waits for it. */
export function reviewRestore(request: WebhookRequest): void {
  const { object, old } = request
  if (old) denyIfAny(webhook, changeCauses(old, object))
  else denyIfAny(webhook, [...targetCauses(request), ...incompleteCauses(request)])
}

/**
 * A target allows one incomplete restore at a time. A failed restore is not complete, so it blocks
 * until a user deletes it.
 */
function incompleteCauses({ object, list }: WebhookRequest): Cause[] {
  const { target } = read.spec(object)
  return list('virtualmachinerestores.snapshot.kubevirt.io', object.metadata.namespace)
    .filter(
      (other) =>
        isDeepStrictEqual(read.spec(other).target, target) && read.status(other).complete !== true,
    )
    .map(({ metadata: { name } }) =>
      cause.wrong('spec.target', `VirtualMachineRestore "${name}" in progress`),
    )
}

function targetCauses(request: WebhookRequest): Cause[] {
  const spec = read.spec(request.object)
  const causes = vmReferenceCauses('spec.target', spec.target)
  if (causes.length > 0) return causes
  return [
    ...snapshotCauses(request),
    ...overrideCauses(request.object),
    ...policyCauses(spec.volumeRestorePolicy, 'restore', [
      'RandomizeNames',
      'InPlace',
      'PrefixTargetName',
    ]),
    ...policyCauses(spec.volumeOwnershipPolicy, 'ownership', ['Vm', 'None']),
  ]
}

function policyCauses(
  policy: unknown,
  what: 'restore' | 'ownership',
  known: readonly string[],
): Cause[] {
  if (policy === undefined || known.some((each) => each === policy)) return []
  const field = what === 'restore' ? 'spec.volumeRestorePolicy' : 'spec.volumeOwnershipPolicy'
  return [cause.wrong(field, `volume ${what} policy "${String(policy)}" doesn't exist`)]
}

function overrideCauses({ spec }: KubeObject): Cause[] {
  return read
    .maps(read.at(spec, 'volumeRestoreOverrides'))
    .flatMap(({ volumeName, restoreName, annotations, labels }, index) => {
      const field = `spec.volumeRestoreOverrides[${index}]`
      const isEmpty =
        read.text(restoreName) === '' && annotations === undefined && labels === undefined
      return [
        ...(read.text(volumeName) === ''
          ? [cause.required(`${field}.volumeName`, 'must provide a volume name')]
          : []),
        ...(isEmpty ? [cause.required(field, 'must provide at least one overriden field')] : []),
      ]
    })
}

/** Causes that need the snapshot, and none while the snapshot is missing. */
function snapshotCauses({ object, get }: WebhookRequest): Cause[] {
  const { namespace } = object.metadata
  const spec = read.spec(object)
  const snapshot = get(
    'virtualmachinesnapshots.snapshot.kubevirt.io',
    namespace,
    read.text(spec.virtualMachineSnapshotName),
  )
  if (!snapshot) return []
  const causes = read.texts(spec.patches).flatMap(patchCauses)
  const target = get(
    'virtualmachines.kubevirt.io',
    namespace,
    read.text(read.at(spec, 'target', 'name')),
  )
  if (target && target.metadata.uid === read.status(snapshot).sourceUID) return causes
  const name = read.text(read.status(snapshot).virtualMachineSnapshotContentName)
  if (name === '') throw unreadable(webhook, 'snapshot content name is nil in vmSnapshot status')
  const content = get('virtualmachinesnapshotcontents.snapshot.kubevirt.io', namespace, name)
  if (!content)
    throw unreadable(
      webhook,
      `virtualmachinesnapshotcontents.snapshot.kubevirt.io "${name}" not found`,
    )
  const message =
    'Restore to a different VM is not supported when snapshotted VM has backend storage (persistent TPM or EFI)'
  return hasBackendStorage(copiedVm(content)) ? [...causes, cause.wrong('spec', message)] : causes
}

/** KubeVirt splits patches at commas and colons, so a value that contains one is refused. */
function patchCauses(patch: string): Cause[] {
  return patch
    .replace(/^[{}]+|[{}]+$/g, '')
    .split(',')
    .flatMap((pair) => {
      const [key = '', value, ...more] = pair.split(':')
      if (value === undefined || more.length > 0) {
        return [
          cause.wrong(
            'spec.patches',
            `patch format is not valid - one ":" expected in a single key-value json patch: ${pair}`,
          ),
        ]
      }
      const isAllowed =
        key.trim() !== '"path"' ||
        /^"\/(spec|metadata\/labels|metadata\/annotations)\//.test(value.trim())
      return isAllowed
        ? []
        : [
            cause.wrong(
              'spec.patches',
              `patching is valid only for elements under /spec/ only: ${pair}`,
            ),
          ]
    })
}
