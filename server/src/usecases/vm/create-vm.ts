import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { displayNameOf, invalid, requireName } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { type NicsRequest } from '../../domain/nic/rules.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { requireGroupIds } from '../../domain/security-group/rules.ts'
import { requireGuestPassword, requireTags } from '../../domain/vm/rules.ts'
import { type QuotaLimits, type QuotaShare } from '../../domain/tenant/quota.ts'
import { type RootDisk, type VmView } from '../../domain/vm/vm.ts'
import { type ImportRules } from '../../domain/vm-template/image.ts'
import { requireDiskSize, requireUserData } from '../../domain/vm-template/rules.ts'
import { cloudConfigWith } from '../../domain/guest/cloud-config.ts'
import { namingField } from '../../domain/guest/cloud-config-refused.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { type Op } from '../../store/op.ts'
import { assignNics } from '../nic/assign-nics.ts'
import { type NicSettings } from '../nic/allocate-addresses.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { requestVmSsh } from '../vm-ssh/expose-vm-ssh.ts'
import { recordAttachment } from '../volume/attach-volume.ts'
import { volumeAfter, lockVolume } from '../volume/lock-volume.ts'
import { sizeOf } from './vm-size.ts'
import { type VmSource, sourceOf } from './vm-source.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateVmRequest extends NicsRequest {
  name: string
  displayName?: string | null
  templateId?: string | null
  /** A container disk, when no template is named. */
  image?: string | null
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  dedicatedCpu?: boolean | null
  rootDisk?: RootDisk | null
  secureBoot?: boolean | null
  bootDiskSizeGi?: number | null
  sshKeyIds?: readonly string[] | null
  /** The security groups; without them, the VM gets the tenant's default group. */
  securityGroupIds?: readonly string[] | null
  cloudInitUserData?: string | null
  cloudInitPassword?: string | null
  tags?: readonly string[] | null
  deleteProtection?: boolean | null
  dataVolumeId?: string | null
  /** Opens a node port that leads to SSH of the VM. */
  exposeSsh?: boolean | null
  start?: boolean | null
}

/** The limits, import rules and networking settings of this installation. */
export interface VmBounds {
  quotaDefaults: QuotaLimits
  networking: NicSettings & Pick<NetworkSettings, 'joinsDefaultNetwork'>
  importRules: ImportRules
}

/** Creates the row of a VM. The returned operation deploys it. */
export async function createVm(
  op: Op,
  request: CreateVmRequest,
  { quotaDefaults: defaults, networking, importRules }: VmBounds,
): Promise<{ vm: VmView; operation: OperationView }> {
  const tenantId = mustActInTenant(op.viewer)
  const { name, displayName, tags } = requireAll({
    name: () => requireName(request.name, 'name', 'displayName'),
    displayName: () => displayNameOf(request.displayName, request.name),
    tags: () => requireTags(request.tags),
    reachable: () => mustBeReachable(request),
  })
  await mustHaveNamespace(op, tenantId)
  const template = await sourceOf(op, request, importRules)
  const size = await sizeOf(op, request, null)
  const userData = await userDataOf(op, name, { request, template })
  const taken = await op.vms.takenName(tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('vm.name_taken', { name }), taken)
  const groupIds = await groupsOf(op, tenantId, request)
  const settings = { ...size, ...settingsFrom(template, request) }
  await mustFitQuota(op, {
    tenantId,
    defaults,
    requested: shareOf({ ...settings, publicIp: request.publicIp }),
  })
  const row = await op.vms.insert({
    tenantId,
    name,
    userData,
    ...settings,
    displayName,
    hostname: null,
    imagePullPolicy: importRules.imagePullPolicy,
    copiedFrom: null,
    copyObject: null,
    secureBoot: request.secureBoot ?? false,
    tags,
    deleteProtection: request.deleteProtection ?? false,
    wantedPower: request.start === false ? 'off' : 'on',
  })
  await op.vmFirewalls.assign(row, groupIds)
  const networkIds = await networksOf(op, tenantId, { request, networking })
  const nicFields = await assignNics(op, row, {
    request: { ...request, networkIds },
    settings: networking,
  })
  if (request.exposeSsh) await requestVmSsh(op, row, { exposed: true, wantedNodePort: null })
  const vm = { ...row, ...nicFields }
  // The row now references its template. A later deletion of the template is refused, and an
  // earlier one is noticed here.
  if (vm.sourceType === 'iso') await sourceOf(op, request, importRules)
  if (request.dataVolumeId) await attachInitialVolume(op, request.dataVolumeId, vm.id)
  const operation = await openOperation(op, 'deploy_vm', { kind: 'vm', id: vm.id, name, tenantId })
  op.changes.record('vm', { id: vm.id, version: vm.version, tenantId })
  op.audit.setTarget('vm', { id: vm.id, name, tenantId })
  return { vm, operation }
}

function mustBeReachable({ exposeSsh, podNetwork }: CreateVmRequest): void {
  if (exposeSsh && podNetwork === false)
    throw invalid('exposeSsh', messageOf('vm.port_without_nic'))
}

/** Returns the requested networks; older clients expect the default network without a list. */
async function networksOf(
  op: Op,
  tenantId: string,
  { request, networking }: { request: NicsRequest; networking: VmBounds['networking'] },
): Promise<readonly string[]> {
  if (request.networkIds) return request.networkIds
  return networking.joinsDefaultNetwork ? op.reads.networks.defaultIds(tenantId) : []
}

/** Returns the requested groups, locked, or the tenant's default group. */
export async function groupsOf(
  op: Op,
  tenantId: string,
  { securityGroupIds }: Pick<CreateVmRequest, 'securityGroupIds'>,
): Promise<string[]> {
  if (!securityGroupIds) return [await op.securityGroups.holdDefault(tenantId)]
  if (securityGroupIds.length === 0)
    throw invalid('securityGroupIds', messageOf('field.one_or_absent'))
  const ids = requireGroupIds(securityGroupIds, 'securityGroupIds')
  await op.securityGroups.hold(tenantId, ids)
  return ids
}

/** Attaches a volume before the first start. It becomes free again if the VM cannot be created. */
async function attachInitialVolume(op: Op, volumeId: string, vmId: string): Promise<void> {
  const row = await lockVolume(op, volumeId)
  await recordAttachment(op, row, vmId)
  await volumeAfter(op, row)
  op.work.enqueue('volume', row)
}

/**
 * Returns the initial settings of the VM. An ISO is installed onto the root disk, which must
 * therefore be persistent.
 */
function settingsFrom(template: VmSource, request: CreateVmRequest) {
  const isIso = template.sourceType === 'iso'
  const rootDisk = request.rootDisk ?? 'persistent'
  if (isIso && rootDisk === 'ephemeral')
    throw invalid('rootDisk', messageOf('vm.iso_boot_not_persistent'))
  return {
    templateId: template.id,
    templateName: template.displayName,
    image: template.image,
    osType: template.osType,
    sourceType: template.sourceType,
    storageClass: template.storageClass,
    rootDisk,
    isoClaim: template.isoClaim,
    isoSizeGi: isIso ? template.isoSizeGi : null,
    isoInserted: isIso,
    bootDiskSizeGi: requireDiskSize(
      'bootDiskSizeGi',
      request.bootDiskSizeGi ?? template.bootDiskSizeGi,
    ),
  }
}

type CountedVm = Pick<VmView, 'cpu' | 'memoryMi' | 'rootDisk' | 'bootDiskSizeGi'> &
  Pick<NicsRequest, 'publicIp'> & { isoSizeGi: number | null }

/** Returns the VM's share of the quota, counted like its row. */
export const shareOf = ({
  cpu,
  memoryMi,
  rootDisk,
  bootDiskSizeGi,
  isoSizeGi,
  publicIp,
}: CountedVm): Pick<
  QuotaShare,
  'vms' | 'vcpus' | 'memoryMi' | 'storageGi' | 'publicAddresses'
> => ({
  vms: 1,
  vcpus: cpu,
  memoryMi,
  publicAddresses: publicIp ? 1 : 0,
  storageGi: (rootDisk === 'persistent' ? bootDiskSizeGi : 0) + (isoSizeGi ?? 0),
})

async function userDataOf(
  op: Op,
  hostname: string,
  { request, template }: { request: CreateVmRequest; template: VmSource },
): Promise<Secret> {
  const sshKeys = await op.reads.sshKeys.publicKeysOf(request.sshKeyIds ?? [])
  const password = requireGuestPassword(request.cloudInitPassword)
  const text = requireUserData(request.cloudInitUserData) ?? template.cloudInitUserData
  return namingField(
    'cloudInitUserData',
    () => new Secret(cloudConfigWith(text, { hostname, sshKeys, password })),
  )
}
