import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { type ImportReason, importReasons } from '../../../domain/vm-template/import-failure.ts'
import {
  type GuestSystem,
  type ImportState,
  type TemplateSource,
  type TemplateState,
  type VmTemplateView,
  guestSystems,
  importStates,
  templateSources,
  templateStates,
} from '../../../domain/vm-template/vm-template.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

export const templateEnums = {
  source: enumOf('VmTemplateSource', templateSources, {
    description: 'The source of the root disk of a VM.',
    values: {
      container: 'The root disk comes from a container disk, which has an installed system.',
      iso: 'The root disk is empty, and a system is installed on it from an ISO.',
    },
  }),
  os: enumOf('GuestSystem', guestSystems, {
    description: 'The kind of operating system of a guest.',
    values: {
      linux: 'The VM gets devices for Linux.',
      windows: 'The VM gets devices and firmware for Windows.',
      other: 'The VM gets the same devices as for Linux.',
    },
  }),
  state: enumOf('VmTemplateState', templateStates, {
    description: 'Tells if VMs can be created from a template.',
    values: {
      Active: 'VMs can be created from the template.',
      Inactive: 'A user deactivated the template, its ISO is not imported, or it is being deleted.',
    },
  }),
  importState: enumOf('VmTemplateImportState', importStates, {
    description: 'The state of the import of an ISO.',
    values: {
      importing: 'The ISO is being imported.',
      ready: 'The ISO is imported.',
      failed: 'The import failed. `importReason` has the cause.',
    },
  }),
  importReason: enumOf('VmTemplateImportReason', importReasons, {
    description: 'Why the import of an ISO failed. `retryVmTemplateImport` repeats it.',
    values: {
      unreachable: 'The server did not deliver the ISO. Check the URL, or retry later.',
      not_found: 'The server has no file under the URL. Retry with a correct URL.',
      tls: 'The platform does not trust the certificate of the server.',
      not_an_image: 'The file under the URL is not a usable disk image. Retry with a correct URL.',
      too_large: 'The ISO is larger than `isoSizeGi`. Create a template with a larger size.',
      no_space: 'The storage is full, a quota is reached, or the storage class does not fit.',
      timeout: 'The import did not succeed in time. Retry it, or use another server.',
      importer_missing: 'The cluster could not run the import. Retry later, or ask the operator.',
      name_in_use:
        'Another object in the cluster has the name of the volume. Create a new template.',
      cancelled: 'A user cancelled the import, or the tenant is being deleted.',
      lost: 'Another client deleted the volume with the ISO in the cluster. Retry the import.',
    },
  }),
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'The source of new VMs: a container disk, or an imported ISO.',
})
export class VmTemplate implements VmTemplateView {
  @Field(() => ID) id!: string
  @Field(() => ID, {
    nullable: true,
    description:
      'The tenant that owns the template. Null for a template of the platform, which all tenants see.',
  })
  tenantId!: string | null
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The text that users see.' })
  displayName!: string
  @Field(() => String, { description: 'Free text; empty without one.' })
  description!: string
  @Field(() => String, {
    description: 'The reference of the container disk, or the URL of the ISO.',
  })
  image!: string
  @Field(() => templateEnums.source, {
    description: 'A container disk, or the ISO of an installation.',
  })
  sourceType!: TemplateSource
  @Field(() => templateEnums.os, {
    description: 'The kind of operating system, which determines the devices of the VM.',
  })
  osType!: GuestSystem
  /** The resolver shows it to callers with `vms:user_data`. */
  cloudInitUserData!: string | null
  @Field(() => Int, { description: 'The size of the volume for the ISO in GiB.' })
  isoSizeGi!: number
  @Field(() => Int, { description: 'The size of the root disk in GiB.' })
  bootDiskSizeGi!: number
  @Field(() => String, {
    nullable: true,
    description: 'Null means the default storage class of the cluster.',
  })
  storageClass!: string | null
  @Field(() => templateEnums.state, {
    description: 'VMs can be created only from an active template.',
  })
  state!: TemplateState
  @Field(() => templateEnums.importState, {
    nullable: true,
    description: 'The state of the import of the ISO. Null for a container disk.',
  })
  importState!: ImportState | null
  @Field(() => templateEnums.importReason, {
    nullable: true,
    description: 'Why the import failed.',
  })
  importReason!: ImportReason | null
  @Field(() => String, { nullable: true, description: 'The reason as a sentence, with a remedy.' })
  importDetail!: Message | null
  @Field(() => Float, { nullable: true, description: 'Progress of the import in per cent.' })
  importPercent!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'Estimated from the progress of the import.',
  })
  importedBytes!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'The size of the ISO; null until the server tells it.',
  })
  totalBytes!: number | null
  @Field(() => Float, { nullable: true, description: 'The present speed of the import.' })
  bytesPerSecond!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'Seconds until the import ends at its present speed.',
  })
  importEtaSeconds!: number | null
  @Field(() => Boolean, { description: 'Its objects in the cluster are being deleted.' })
  deleting!: boolean
  @Field(() => Boolean, {
    description: 'True for a template that is part of the platform. It cannot be changed.',
  })
  readOnly!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class VmTemplateRefusals {
  @Field(() => String, { nullable: true, description: 'Why the template cannot be changed.' })
  update!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the template cannot be deleted.' })
  delete!: Message | null
  @Field(() => String, { nullable: true, description: 'Why its import cannot be repeated.' })
  retryImport!: Message | null
  @Field(() => String, { nullable: true, description: 'Why no VM can be created from it.' })
  deploy!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class VmTemplateConnection extends connectionOf<VmTemplateView>(VmTemplate, 'VmTemplate') {}

@ObjectType({ simpleResolvers: true })
class VmTemplatePayload {
  @Field(() => VmTemplate) vmTemplate!: VmTemplate
  @Field(() => Operation, { nullable: true }) operation!: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class CreateVmTemplatePayload extends VmTemplatePayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateVmTemplatePayload extends VmTemplatePayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteVmTemplatePayload extends VmTemplatePayload {}

@ObjectType({ simpleResolvers: true })
export class RetryVmTemplateImportPayload extends VmTemplatePayload {}
