import { Fault, notFound } from '../../domain/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { invalid, requireSlug, requireText } from '../../domain/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { requireGuestPassword, requireTags } from '../../domain/vm/rules.ts'
import { type QuotaLimits, type QuotaShare } from '../../domain/tenant/quota.ts'
import { type RootDisk, type VmView } from '../../domain/vm/vm.ts'
import { isoClaimName } from '../../domain/vm-template/iso-volume.ts'
import { deployRefusal } from '../../domain/vm-template/refusals.ts'
import { requireDiskSize, requireUserData } from '../../domain/vm-template/rules.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { CloudConfigRefused, cloudConfigWith } from '../../runtime/cloud-config.ts'
import { newMac } from '../../runtime/mac.ts'
import { Secret } from '../../runtime/secret.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { sizeOf } from './vm-size.ts'

export interface NewVm {
  name: string
  displayName?: string | null
  templateId: string
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  rootDisk?: RootDisk | null
  secureBoot?: boolean | null
  bootDiskSizeGi?: number | null
  sshKeyIds?: readonly string[] | null
  cloudInitUserData?: string | null
  cloudInitPassword?: string | null
  tags?: readonly string[] | null
  deleteProtection?: boolean | null
  start?: boolean | null
}

/** Asks for a machine; it is made by the operation that is returned. */
export async function createVm(op: Op, asked: NewVm, defaults: QuotaLimits): Promise<{ vm: VmView; operation: OperationView }> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireSlug(asked.name, 'name')
  await mustHaveRoom(op, tenantId)
  const template = await templateOf(op, asked.templateId)
  const size = await sizeOf(op, asked, { cpu: 1, memoryMi: 1024 })
  const userData = await userDataOf(op, name, { asked, template })
  if (await op.vms.nameTaken(tenantId, name)) throw new Fault('already_exists', `A VM named ${name} exists already; choose another name.`)
  const made = { ...size, ...madeFrom(template, asked) }
  await mustFit(op, { tenantId, defaults, asked: shareOf(made) })
  const vm = await op.vms.insert({
    ...{ tenantId, name, userData, ...made },
    displayName: requireText(asked.displayName || name, 'displayName'),
    mac: newMac(),
    secureBoot: asked.secureBoot ?? false,
    tags: requireTags(asked.tags),
    deleteProtection: asked.deleteProtection ?? false,
    wantedPower: asked.start === false ? 'off' : 'on',
  })
  // The row holds on to its template from here on: whoever deletes that now comes too late, and whoever was faster is seen.
  if (vm.sourceType === 'iso') await templateOf(op, template.id)
  const operation = await openOperation(op, 'deploy_vm', { kind: 'vm', id: vm.id, name, tenantId })
  op.changes.note('vm', { id: vm.id, version: vm.version, tenantId })
  op.audit.about('vm', { id: vm.id, name, tenantId })
  return { vm, operation }
}

async function templateOf(op: Op, id: string): Promise<VmTemplateView> {
  const template = await op.reads.vmTemplates.find(id)
  if (!template) throw notFound('template', id)
  const refusal = deployRefusal(template)
  if (refusal) throw refusal
  return template
}

/** What the machine begins as. An ISO is installed onto a disk, which therefore has to stay. */
function madeFrom(template: VmTemplateView, asked: NewVm) {
  const isIso = template.sourceType === 'iso'
  const rootDisk = asked.rootDisk ?? 'persistent'
  if (isIso && rootDisk === 'ephemeral') throw invalid('rootDisk', 'must be persistent: what is installed from an ISO has to stay')
  return {
    ...{ templateId: template.id, templateName: template.displayName, image: template.image, osType: template.osType },
    ...{ sourceType: template.sourceType, storageClass: template.storageClass, rootDisk },
    isoClaim: isIso ? isoClaimName(template) : null,
    isoSizeGi: isIso ? template.isoSizeGi : null,
    bootDiskSizeGi: asked.bootDiskSizeGi ? requireDiskSize('bootDiskSizeGi', asked.bootDiskSizeGi) : template.bootDiskSizeGi,
  }
}

type Counted = Pick<VmView, 'cpu' | 'memoryMi' | 'rootDisk' | 'bootDiskSizeGi'> & { isoSizeGi: number | null }

/** As the rows are counted. */
const shareOf = ({ cpu, memoryMi, rootDisk, bootDiskSizeGi, isoSizeGi }: Counted): QuotaShare => ({
  ...{ vms: 1, vcpus: cpu, memoryMi },
  storageGi: (rootDisk === 'persistent' ? bootDiskSizeGi : 0) + (isoSizeGi ?? 0),
})

async function userDataOf(op: Op, hostname: string, { asked, template }: { asked: NewVm; template: VmTemplateView }): Promise<Secret> {
  const sshKeys = await op.reads.sshKeys.publicKeysOf(asked.sshKeyIds ?? [])
  const password = requireGuestPassword(asked.cloudInitPassword)
  const text = requireUserData(asked.cloudInitUserData) ?? template.cloudInitUserData
  try {
    return new Secret(cloudConfigWith(text, { hostname, sshKeys, password }))
  } catch (error) {
    if (error instanceof CloudConfigRefused) throw invalid('cloudInitUserData', error.message)
    throw error
  }
}
