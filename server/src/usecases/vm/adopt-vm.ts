import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { isInOwnForm, mustBeAdoptable, rootDiskOf } from '../../domain/unmanaged-vm/obstacles.ts'
import { type UnmanagedVmView } from '../../domain/unmanaged-vm/unmanaged-vm.ts'
import { cloudConfigWith } from '../../domain/guest/cloud-config.ts'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { newId } from '../../runtime/ids.ts'
import { newMac } from '../../runtime/mac.ts'
import { type Op } from '../../store/op.ts'
import { type NicSettings } from '../nic/allocate-addresses.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { shareOf } from './create-vm.ts'
import { type VmAnswer } from './lock-vm.ts'

interface AdoptionBounds {
  quotaDefaults: QuotaLimits
  networking: Pick<NicSettings, 'addressRestSeconds'>
}

/**
 * Makes a VM that exists in the cluster a VM of Berth. The returned operation labels its objects
 * and gives it the form of Berth.
 */
export async function adoptVm(
  op: Op,
  { name }: { name: string },
  { quotaDefaults: defaults, networking }: AdoptionBounds,
): Promise<VmAnswer> {
  const tenantId = mustActInTenant(op.viewer)
  const { row: unmanaged, ...found } = await op.unmanagedVms.getByName(tenantId, name)
  mustBeAdoptable(found)
  const taken = await op.vms.takenName(tenantId, name)
  if (taken)
    throw new Fault('already_exists', messageOf('unmanaged_vm.name_taken', { name }), taken)
  const values = valuesFrom(found)
  await mustFitQuota(op, { tenantId, defaults, requested: shareOf({ ...values, publicIp: false }) })
  const row = await op.vms.insertAdopted({ tenantId, name, displayName: name, ...values })
  await op.vmFirewalls.assign(row, [await op.securityGroups.holdDefault(tenantId)])
  const nics = nicsFrom(found)
  const owner = { vmId: row.id, tenantId, restSeconds: networking.addressRestSeconds }
  await op.nics.insert(owner, nics)
  op.unmanagedVms.forget(unmanaged)
  const vm = { ...row, mac: nics[0]?.mac ?? '', addresses: [] }
  const operation = await openOperation(op, 'adopt_vm', { kind: 'vm', id: vm.id, name, tenantId })
  op.changes.record('vm', { id: vm.id, version: vm.version, tenantId })
  op.changes.record('unmanaged_vm', { id: found.id, version: found.version + 1, tenantId })
  op.audit.setTarget('vm', { id: vm.id, name, tenantId })
  return { vm, operation }
}

/** The size of a root disk without a volume, which no quota counts. */
const ephemeralGi = 10

/** The values of the row. What the object does not tell gets the values of a new VM. */
const valuesFrom = (vm: UnmanagedVmView) => ({
  ...identityOf(vm),
  ...rootFrom(vm),
  ...guestFrom(vm),
  serviceOfferingId: null,
  templateId: null,
  templateName: '',
  sourceType: 'container' as const,
  imagePullPolicy: vm.found.disks.find(({ kind }) => kind === 'image')?.pullPolicy ?? null,
  isoClaim: null,
  isoSizeGi: null,
  isoInserted: false,
  copiedFrom: null,
  copyObject: null,
  tags: [],
  deleteProtection: false,
})

/** An object in the form of Berth has the id of its lost row in all names. */
function identityOf({ madeAs, found, clusterUid }: UnmanagedVmView) {
  const isOwn = isInOwnForm({ madeAs, found })
  return {
    id: isOwn && madeAs !== null ? madeAs : newId(),
    adoptedUid: clusterUid,
    firmwareUuid: isOwn ? null : found.firmware.uuid,
  }
}

function rootFrom(vm: UnmanagedVmView) {
  const root = rootDiskOf(vm)
  if (root?.kind !== 'volume')
    return {
      rootDisk: 'ephemeral',
      rootClaim: null,
      image: root?.source ?? '',
      bootDiskSizeGi: ephemeralGi,
      storageClass: null,
    } as const
  return {
    rootDisk: 'persistent',
    rootClaim: isInOwnForm(vm) ? null : root.source,
    image: '',
    bootDiskSizeGi: root.sizeGi ?? ephemeralGi,
    storageClass: root.storageClass,
  } as const
}

const guestFrom = ({ name, found }: UnmanagedVmView) => ({
  cpu: found.cpu ?? 1,
  memoryMi: found.memoryMi ?? 1024,
  dedicatedCpu: found.dedicatedCpu,
  osType: found.isWindows ? ('windows' as const) : ('linux' as const),
  secureBoot: found.firmware.boot === 'efiSecure',
  keepsGuestState: found.firmware.tpm === 'persistent',
  hostname: found.hostname === name ? null : found.hostname,
  userData: new Secret(cloudConfigWith(null, { hostname: name, sshKeys: [], password: null })),
  wantedPower: found.power,
})

/** A NIC without an address of its own gets one, so that its guest keeps it from now on. */
const nicsFrom = ({ found }: UnmanagedVmView) =>
  found.nics.map(({ name, mac }, index) => ({
    ordinal: Number(/^nic(\d+)$/.exec(name)?.[1] ?? index),
    kind: 'pod' as const,
    mac: mac ?? newMac(),
    networkAddress: null,
  }))
