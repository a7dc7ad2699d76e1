import { randomBytes } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { podsUsing, unready } from './claims.ts'
import { durationMs } from '../../objects/duration.ts'
import { isDeleted } from '../holds.ts'
import { ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { claimsOf } from '../../objects/vms/vm-volumes.ts'

const exports = 'virtualmachineexports.export.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'
const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const defaultTtlMs = 2 * 3_600_000

const inNamespace = ({ metadata: { namespace } }: KubeObject, desk: Desk): Key[] =>
  desk.list(exports, namespace).flatMap(ownKey)

/**
 * Reports exports of volumes; no server answers at the links. An export of a snapshot is ready with
 * the snapshot, one of a VM or PVC when no pod uses the PVCs.
 */
export const vmExports: Controller = {
  name: 'vmexport-controller',
  sources: [
    { kind: exports, keysOf: ownKey },
    ...[vms, snapshots, 'persistentvolumeclaims', 'pods'].map((kind) => ({
      kind,
      keysOf: inNamespace,
    })),
  ],
  reconcile(desk, { namespace, name }) {
    const order = desk.get(exports, namespace, name)
    if (!order || isDeleted(order)) return undefined
    const leftMs = expiryMs(order) - clock.nowMs()
    if (leftMs <= 0) {
      desk.remove(exports, order)
      return undefined
    }
    desk.setStatus(exports, order, statusFor(desk, order))
    return leftMs
  },
}

const expiryMs = ({ metadata, spec }: KubeObject): number =>
  Date.parse(metadata.creationTimestamp ?? '') +
  (durationMs(read.text(read.at(spec, 'ttlDuration'))) ?? defaultTtlMs)

interface Offer {
  claims: string[]
  condition: Condition
  /** Why the export is not ready; null when it is. */
  obstacle: Condition | null
  /** Set when the source has no volumes. */
  isEmpty?: true
}

interface Condition extends JsonMap {
  type: string
  status: 'True' | 'False'
  reason: string
  message: string
}

const condition = (type: string, reason: string, message = ''): Condition => ({
  type,
  status: 'False',
  reason,
  message,
})
const met = (type: string, reason: string): Condition => ({
  type,
  status: 'True',
  reason,
  message: '',
})

function statusFor(desk: Desk, order: KubeObject): JsonMap {
  const { name } = order.metadata
  const old = read.status(order)
  const offer = offerFor(desk, order)
  const isReady = offer.obstacle === null && !offer.isEmpty
  const tokenSecretRef =
    read.spec(order).tokenSecretRef ?? (isReady ? ensureToken(desk, order) : old.tokenSecretRef)
  return filled({
    ...old,
    conditions: [offer.obstacle ?? met('Ready', 'PodReady'), offer.condition].map((each) =>
      timed(old, each),
    ),
    phase: offer.isEmpty ? 'Skipped' : isReady ? 'Ready' : 'Pending',
    serviceName: `virt-export-${name}`,
    links: isReady ? { internal: linksTo(order, offer.claims) } : {},
    tokenSecretRef,
    ttlExpirationTime: new Date(expiryMs(order)).toISOString().replace(/\.\d+Z$/, 'Z'),
  })
}

/** An unchanged condition keeps its times. */
function timed({ conditions }: JsonMap, said: Condition): JsonMap {
  const same = read
    .maps(conditions)
    .find(
      ({ type, status, reason, message }) =>
        [type, status, reason, message].join() ===
        [said.type, said.status, said.reason, said.message].join(),
    )
  return same ?? { ...said, lastProbeTime: null, lastTransitionTime: clock.timestamp() }
}

function offerFor(desk: Desk, order: KubeObject): Offer {
  const { namespace } = order.metadata
  const name = read.text(read.at(order, 'spec', 'source', 'name'))
  switch (read.at(order, 'spec', 'source', 'kind')) {
    case 'VirtualMachine':
      return offerOfVm(desk, namespace, name)
    case 'VirtualMachineSnapshot':
      return offerOfSnapshot(desk, namespace, name)
    default:
      return offerOfClaim(desk, namespace, name)
  }
}

const initializing = condition('Ready', 'Initializing')

function offerOfClaim(desk: Desk, namespace: string | undefined, name: string): Offer {
  const claim = desk.get('persistentvolumeclaims', namespace, name)
  if (!claim) {
    const missing = condition(
      'PVCReady',
      'PVCNotFound',
      `PersistentVolumeClaim ${namespace}/${name} not found`,
    )
    return { claims: [], obstacle: initializing, condition: missing }
  }
  const isBound = read.status(claim).phase === 'Bound'
  const seen = isBound ? met('PVCReady', 'PVCBound') : condition('PVCReady', 'PVCPending')
  return { claims: [name], obstacle: obstacleIn(desk, namespace, [name]), condition: seen }
}

function obstacleIn(
  desk: Desk,
  namespace: string | undefined,
  claims: readonly string[],
): Condition | null {
  for (const name of claims) {
    const what = `PersistentVolumeClaim ${namespace}/${name}`
    if (unready(desk, namespace, name) !== null)
      return condition('Ready', 'PVCPending', `${what} is not populated`)
    if (podsUsing(desk, namespace, [name]).length > 0)
      return condition('Ready', 'InUse', `${what} is in use`)
  }
  return null
}

function offerOfVm(desk: Desk, namespace: string | undefined, name: string): Offer {
  const vm = desk.get(vms, namespace, name)
  if (!vm) {
    const missing = condition(
      'PVCReady',
      'VMNotFound',
      `VirtualMachine ${namespace}/${name} not found`,
    )
    return { claims: [], obstacle: initializing, condition: missing }
  }
  const claims = claimsOf(vm).map(({ claim }) => claim)
  if (claims.length > 0)
    return {
      claims,
      obstacle: obstacleIn(desk, namespace, claims),
      condition: met('PVCReady', 'PVCBound'),
    }
  const none = condition(
    'PVCReady',
    'VMNoVolumes',
    `VirtualMachine ${namespace}/${name} has no volumes`,
  )
  return { claims, obstacle: initializing, condition: none, isEmpty: true }
}

function offerOfSnapshot(desk: Desk, namespace: string | undefined, name: string): Offer {
  const snapshot = desk.get(snapshots, namespace, name)
  if (!snapshot || read.status(snapshot).readyToUse !== true) {
    const missing = condition(
      'VolumesCreated',
      'VMSnapshotNotFound',
      `VirtualMachineSnapshot ${namespace}/${name} not found`,
    )
    return { claims: [], obstacle: initializing, condition: missing }
  }
  const content = desk.get(
    contents,
    namespace,
    read.text(read.status(snapshot).virtualMachineSnapshotContentName),
  )
  const volumes = read
    .maps(read.at(content, 'spec', 'volumeBackups'))
    .map(({ volumeName }) => `${name}-${read.text(volumeName)}`)
  if (volumes.length > 0)
    return { claims: volumes, obstacle: null, condition: met('VolumesCreated', 'VolumesCreated') }
  const none = condition(
    'VolumesCreated',
    'VMSnapshotNoVolumes',
    `VirtualMachineSnapshot ${namespace}/${name} has no volumes`,
  )
  return { claims: [], obstacle: initializing, condition: none, isEmpty: true }
}

function linksTo(
  { metadata: { name, namespace } }: KubeObject,
  claims: readonly string[],
): JsonMap {
  const base = `https://virt-export-${name}.${namespace}.svc`
  const volumes = claims.map((claim) => ({
    name: claim,
    formats: [
      { format: 'raw', url: `${base}/volumes/${claim}/disk.img` },
      { format: 'gzip', url: `${base}/volumes/${claim}/disk.img.gz` },
    ],
  }))
  return { cert: '', volumes }
}

/** Creates the Secret with the token that download clients must send. */
function ensureToken(desk: Desk, order: KubeObject): string {
  const { namespace = '', name } = order.metadata
  const secret = `export-token-${name}`
  if (desk.get('secrets', namespace, secret)) return secret
  desk.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace, ownerReferences: [ownedBy(order)] },
    stringData: { token: randomBytes(15).toString('base64url') },
    type: 'Opaque',
  })
  return secret
}
