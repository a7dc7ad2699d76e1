import { randomBytes } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { podsUsing, unreadyReason } from './claims.ts'
import { durationMs } from '../../objects/duration.ts'
import { isDeleted } from '../finalizers.ts'
import { ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { claimsOf } from '../../objects/vms/vm-volumes.ts'

const exports = 'virtualmachineexports.export.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'
const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const defaultTtlMs = 2 * 3_600_000

const inNamespace = ({ metadata: { namespace } }: KubeObject, client: Client): Key[] =>
  client.list(exports, namespace).flatMap(ownKey)

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
  reconcile(client, { namespace, name }) {
    const exported = client.get(exports, namespace, name)
    if (!exported || isDeleted(exported)) return undefined
    const leftMs = expiryMs(exported) - clock.nowMs()
    if (leftMs <= 0) {
      client.remove(exports, exported)
      return undefined
    }
    client.setStatus(exports, exported, statusFor(client, exported))
    return leftMs
  },
}

const expiryMs = ({ metadata, spec }: KubeObject): number =>
  Date.parse(metadata.creationTimestamp ?? '') +
  (durationMs(read.text(read.at(spec, 'ttlDuration'))) ?? defaultTtlMs)

interface ExportState {
  claims: string[]
  condition: Condition
  /** Why the export is not ready; null when it is. */
  blocker: Condition | null
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

function statusFor(client: Client, exported: KubeObject): JsonMap {
  const { name } = exported.metadata
  const old = read.status(exported)
  const state = exportStateFor(client, exported)
  const isReady = state.blocker === null && !state.isEmpty
  const tokenSecretRef =
    read.spec(exported).tokenSecretRef ??
    (isReady ? ensureToken(client, exported) : old.tokenSecretRef)
  return filled({
    ...old,
    conditions: [state.blocker ?? met('Ready', 'PodReady'), state.condition].map((each) =>
      timed(old, each),
    ),
    phase: state.isEmpty ? 'Skipped' : isReady ? 'Ready' : 'Pending',
    serviceName: `virt-export-${name}`,
    links: isReady ? { internal: linksTo(exported, state.claims) } : {},
    tokenSecretRef,
    ttlExpirationTime: new Date(expiryMs(exported)).toISOString().replace(/\.\d+Z$/, 'Z'),
  })
}

/** An unchanged condition keeps its times. */
function timed({ conditions }: JsonMap, update: Condition): JsonMap {
  const same = read
    .maps(conditions)
    .find(
      ({ type, status, reason, message }) =>
        [type, status, reason, message].join() ===
        [update.type, update.status, update.reason, update.message].join(),
    )
  return same ?? { ...update, lastProbeTime: null, lastTransitionTime: clock.timestamp() }
}

function exportStateFor(client: Client, exported: KubeObject): ExportState {
  const { namespace } = exported.metadata
  const name = read.text(read.at(exported, 'spec', 'source', 'name'))
  switch (read.at(exported, 'spec', 'source', 'kind')) {
    case 'VirtualMachine':
      return vmExport(client, namespace, name)
    case 'VirtualMachineSnapshot':
      return snapshotExport(client, namespace, name)
    default:
      return claimExport(client, namespace, name)
  }
}

const initializing = condition('Ready', 'Initializing')

function claimExport(client: Client, namespace: string | undefined, name: string): ExportState {
  const claim = client.get('persistentvolumeclaims', namespace, name)
  if (!claim) {
    const missing = condition(
      'PVCReady',
      'PVCNotFound',
      `PersistentVolumeClaim ${namespace}/${name} not found`,
    )
    return { claims: [], blocker: initializing, condition: missing }
  }
  const isBound = read.status(claim).phase === 'Bound'
  const claimCondition = isBound ? met('PVCReady', 'PVCBound') : condition('PVCReady', 'PVCPending')
  return {
    claims: [name],
    blocker: claimBlocker(client, namespace, [name]),
    condition: claimCondition,
  }
}

function claimBlocker(
  client: Client,
  namespace: string | undefined,
  claims: readonly string[],
): Condition | null {
  for (const name of claims) {
    const claimText = `PersistentVolumeClaim ${namespace}/${name}`
    if (unreadyReason(client, namespace, name) !== null)
      return condition('Ready', 'PVCPending', `${claimText} is not populated`)
    if (podsUsing(client, namespace, [name]).length > 0)
      return condition('Ready', 'InUse', `${claimText} is in use`)
  }
  return null
}

function vmExport(client: Client, namespace: string | undefined, name: string): ExportState {
  const vm = client.get(vms, namespace, name)
  if (!vm) {
    const missing = condition(
      'PVCReady',
      'VMNotFound',
      `VirtualMachine ${namespace}/${name} not found`,
    )
    return { claims: [], blocker: initializing, condition: missing }
  }
  const claims = claimsOf(vm).map(({ claim }) => claim)
  if (claims.length > 0)
    return {
      claims,
      blocker: claimBlocker(client, namespace, claims),
      condition: met('PVCReady', 'PVCBound'),
    }
  const none = condition(
    'PVCReady',
    'VMNoVolumes',
    `VirtualMachine ${namespace}/${name} has no volumes`,
  )
  return { claims, blocker: initializing, condition: none, isEmpty: true }
}

function snapshotExport(client: Client, namespace: string | undefined, name: string): ExportState {
  const snapshot = client.get(snapshots, namespace, name)
  if (!snapshot || read.status(snapshot).readyToUse !== true) {
    const missing = condition(
      'VolumesCreated',
      'VMSnapshotNotFound',
      `VirtualMachineSnapshot ${namespace}/${name} not found`,
    )
    return { claims: [], blocker: initializing, condition: missing }
  }
  const content = client.get(
    contents,
    namespace,
    read.text(read.status(snapshot).virtualMachineSnapshotContentName),
  )
  const volumes = read
    .maps(read.at(content, 'spec', 'volumeBackups'))
    .map(({ volumeName }) => `${name}-${read.text(volumeName)}`)
  if (volumes.length > 0)
    return { claims: volumes, blocker: null, condition: met('VolumesCreated', 'VolumesCreated') }
  const none = condition(
    'VolumesCreated',
    'VMSnapshotNoVolumes',
    `VirtualMachineSnapshot ${namespace}/${name} has no volumes`,
  )
  return { claims: [], blocker: initializing, condition: none, isEmpty: true }
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
function ensureToken(client: Client, exported: KubeObject): string {
  const { namespace = '', name } = exported.metadata
  const secret = `export-token-${name}`
  if (client.get('secrets', namespace, secret)) return secret
  client.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace, ownerReferences: [ownedBy(exported)] },
    stringData: { token: randomBytes(15).toString('base64url') },
    type: 'Opaque',
  })
  return secret
}
