import { Fault, notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { displayNameOf, invalid, requireName } from '../../engine/model/name.ts'
import { type NicsRequest } from '../../domain/nic/rules.ts'
import { type CoveredDisk } from '../../domain/vm-snapshot/coverage.ts'
import { type Identity, requireIdentity } from '../../domain/vm-snapshot/identity.ts'
import { diskSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { mustUseAllowedRegistry } from '../../domain/vm-template/refusals.ts'
import { cloudConfigForClone } from '../../domain/guest/cloud-config.ts'
import { CloudConfigRefused } from '../../domain/guest/cloud-config-refused.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { assignNics } from '../nic/assign-nics.ts'
import { type VmBounds, groupsOf, shareOf } from '../vm/create-vm.ts'
import { type VmAnswer } from '../vm/lock-vm.ts'
import { cloneVolumes } from './clone-volumes.ts'
import { mustBeUsable } from './must-be-usable.ts'
import { cloneNics } from './clone-nics.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CloneVmSnapshotRequest extends NicsRequest {
  snapshotId: string
  name: string
  displayName?: string | null
  identity?: Parameters<typeof requireIdentity>[0]
  /** The security groups; without them, the VM gets the tenant's default group. */
  securityGroupIds?: readonly string[] | null
  start?: boolean | null
}

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>
type SnapshotRow = Awaited<ReturnType<Op['vmSnapshots']['get']>>

/**
 * Creates a VM with the settings of a snapshot and copies of its disks. The original VM may be
 * deleted.
 */
export async function cloneVmSnapshot(
  op: Op,
  request: CloneVmSnapshotRequest,
  { quotaDefaults: defaults, networking, importRules }: VmBounds,
): Promise<VmAnswer> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireName(request.name, 'name')
  await mustHaveNamespace(op, tenantId)
  const { snapshot, original } = await originalOf(op, request.snapshotId)
  const disks = mustHoldDisk(snapshot, original)
  mustUseAllowedRegistry(original, importRules)
  const identity = requireIdentity(request.identity, original.osType)
  const taken = await op.vms.takenName(tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('vm.name_taken', { name }), taken)
  const groupIds = await groupsOf(op, tenantId, request)
  const wiring = await cloneNics(op, { snapshot, identity, request })
  const settings = {
    ...settingsFrom(snapshot, original),
    ...guestOf(op, original, { name, identity }),
  }
  const volumes = disks.filter(({ volumeId }) => volumeId !== null)
  const share = shareOf({ ...settings, publicIp: wiring.request.publicIp })
  const storageGi = volumes.reduce((sum, { sizeGi }) => sum + sizeGi, share.storageGi)
  await mustFitQuota(op, {
    tenantId,
    defaults,
    requested: { ...share, storageGi, volumes: volumes.length },
  })
  const row = await op.vms.insert({
    tenantId,
    name,
    ...settings,
    imagePullPolicy: importRules.imagePullPolicy,
    displayName: displayNameOf(request.displayName, name),
    deleteProtection: false,
    wantedPower: request.start === false ? 'off' : 'on',
  })
  await op.vmFirewalls.assign(row, groupIds)
  const nicFields = await assignNics(op, row, { ...wiring, settings: networking })
  const vm = { ...row, ...nicFields }
  await cloneVolumes(op, { vm, snapshot, disks })
  const operation = await openOperation(op, 'deploy_vm', { kind: 'vm', id: vm.id, name, tenantId })
  op.changes.record('vm', { id: vm.id, version: vm.version, tenantId })
  op.audit.setTarget('vm', { id: vm.id, name, tenantId })
  return { vm, operation }
}

/** The VM is locked before its snapshot, as in a restore. */
async function originalOf(op: Op, id: string): Promise<{ snapshot: SnapshotRow; original: VmRow }> {
  const unlocked = await op.reads.vmSnapshots.find(id)
  const original = unlocked && (await op.vms.row(unlocked.vmId))
  if (!original) throw notFound('VM snapshot', id)
  const snapshot = await op.vmSnapshots.get(id)
  mustBeUsable(snapshot)
  return { snapshot, original }
}

/** Returns the disks of the clone. Without the root disk it could not boot. */
function mustHoldDisk(
  { name, disks }: SnapshotRow,
  { rootDisk, keepsGuestState }: VmRow,
): readonly CoveredDisk[] {
  const includedDisks = (disks ?? []).filter(({ included }) => included)
  if (rootDisk === 'persistent' && !includedDisks.some(({ disk }) => disk === 'root'))
    throw new Fault('wrong_state', messageOf('vm_snapshot.without_boot_disk', { name }))
  if (keepsGuestState)
    throw new Fault('wrong_state', messageOf('vm_snapshot.secrets_in_tpm', { name }))
  return includedDisks
}

/**
 * Returns the settings of the clone. They contain no ISO, because the system is installed already.
 */
function settingsFrom(snapshot: SnapshotRow, original: VmRow) {
  const { cpu, memoryMi, dedicatedCpu, serviceOfferingId = null } = snapshot
  const { image, sourceType, osType, secureBoot, rootDisk, bootDiskSizeGi, templateName, tags } =
    original
  const { templateId = null, storageClass = null } = original
  return {
    cpu,
    memoryMi,
    dedicatedCpu,
    serviceOfferingId,
    tags,
    isoClaim: null,
    isoSizeGi: null,
    isoInserted: false,
    image,
    sourceType,
    osType,
    secureBoot,
    rootDisk,
    bootDiskSizeGi,
    templateId,
    templateName,
    storageClass,
    copiedFrom: snapshot.id,
    copyObject:
      rootDisk === 'persistent' ? diskSnapshotName(snapshot.clusterUid ?? '', 'root') : null,
  }
}

function guestOf(
  op: Op,
  original: VmRow,
  { name, identity }: { name: string; identity: Identity },
): { hostname: string | null; userData: Secret } {
  const userData = op.vms.userDataOf(original)
  const hostname = identity.hostname === 'keep' ? (original.hostname ?? original.name) : null
  if (original.osType === 'windows') return { hostname, userData }
  const guest = {
    hostname: hostname ?? name,
    renewSystemdId: identity.machineId === 'renew',
    keepHostKeys: identity.hostKeys === 'keep',
  }
  try {
    return { hostname, userData: new Secret(cloudConfigForClone(userData.reveal(), guest)) }
  } catch (error) {
    if (error instanceof CloudConfigRefused)
      throw invalid(
        'snapshotId',
        messageOf('vm_snapshot.cloud_init_unusable', { problem: error.problem }),
      )
    throw error
  }
}
