import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { deployRefusal, templateRefusal } from '../../../domain/vm-template/refusals.ts'
import { createVmTemplate } from '../../../usecases/vm-template/create-vm-template.ts'
import { deleteVmTemplate } from '../../../usecases/vm-template/delete-vm-template.ts'
import { retryVmTemplateImport } from '../../../usecases/vm-template/retry-vm-template-import.ts'
import { updateVmTemplate } from '../../../usecases/vm-template/update-vm-template.ts'
import { type FieldContext } from '../context.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateVmTemplateInput,
  DeleteVmTemplateInput,
  RetryVmTemplateImportInput,
  UpdateVmTemplateInput,
  VmTemplateFilter,
  VmTemplateOrder,
} from './vm-template-inputs.ts'
import {
  CreateVmTemplatePayload,
  DeleteVmTemplatePayload,
  RetryVmTemplateImportPayload,
  UpdateVmTemplatePayload,
  VmTemplate,
  VmTemplateConnection,
  VmTemplateRefusals,
} from './vm-template-types.ts'
import { WaitSeconds } from '../wait.ts'
import { may } from '../../../engine/model/viewer.ts'
import { type Message } from '../../../engine/model/message.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type VmTemplateView } from '../../../domain/vm-template/vm-template.ts'

@Resolver(() => VmTemplate)
export class VmTemplateResolver {
  @needs('vms:read')
  @Query(() => VmTemplate, {
    nullable: true,
    description: 'Finds a template by its id; null when there is none.',
  })
  vmTemplate(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.vmTemplates.find(id)
  }

  @needs('vms:read')
  @Query(() => VmTemplateConnection, {
    description: 'The templates of the platform and the tenant’s own templates.',
  })
  vmTemplates(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VmTemplateFilter, { nullable: true }) filter?: VmTemplateFilter,
    @Arg('orderBy', () => VmTemplateOrder, { nullable: true }) orderBy?: VmTemplateOrder,
  ) {
    return VmTemplateConnection.read(reads.vmTemplates, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => VmTemplateRefusals)
  refusals(@Ctx() { berth }: FieldContext, @Root() template: VmTemplate): VmTemplateRefusals {
    const why = (action: Parameters<typeof templateRefusal>[0]): Message | null =>
      templateRefusal(action, template)?.userMessage ?? null
    return {
      update: why('update'),
      delete: why('delete'),
      retryImport: why('retryImport'),
      deploy: deployRefusal(template, berth.importRules)?.userMessage ?? null,
    }
  }

  @sameAccessAsObject()
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The cloud-init user data of VMs that bring none. Null when the template has none, and for callers without the permission `vms:user_data`; `hasUserData` tells which.',
  })
  cloudInitUserData(
    @Root() { cloudInitUserData }: VmTemplate,
    @Ctx() { viewer }: FieldContext,
  ): string | null {
    return may(viewer, 'vms:user_data') ? cloudInitUserData : null
  }

  @sameAccessAsObject()
  @FieldResolver(() => Boolean, {
    description:
      'True when the template has cloud-init user data, also for callers who may not read it.',
  })
  hasUserData(@Root() { cloudInitUserData }: VmTemplate): boolean {
    return cloudInitUserData !== null
  }

  @needs('vms:write')
  @Mutation(() => CreateVmTemplatePayload, {
    description:
      'Creates a template of the tenant from a container disk or an ISO. An ISO is imported before VMs can be created from it.',
  })
  createVmTemplate(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => CreateVmTemplateInput) input: CreateVmTemplateInput,
  ) {
    return write((op) => createVmTemplate(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => UpdateVmTemplatePayload, {
    description: 'Changes a template of the tenant for new VMs. Existing VMs do not change.',
  })
  updateVmTemplate(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => UpdateVmTemplateInput) input: UpdateVmTemplateInput,
  ) {
    return write((op) => updateVmTemplate(op, input, berth.importRules))
  }

  @needs('vms:write')
  @Mutation(() => RetryVmTemplateImportPayload, {
    description: 'Repeats the failed import of an ISO, from the same URL or another one.',
  })
  retryVmTemplateImport(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => RetryVmTemplateImportInput) input: RetryVmTemplateImportInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => retryVmTemplateImport(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => DeleteVmTemplatePayload, {
    description: 'Deletes a template of the tenant. The VMs created from it remain.',
  })
  deleteVmTemplate(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteVmTemplateInput) input: DeleteVmTemplateInput,
  ) {
    return write((op) => deleteVmTemplate(op, input))
  }
}

export const VmTemplateObjectsResolver = relatedObjects<VmTemplateView>(VmTemplate, {
  ...itsTenant,
})
