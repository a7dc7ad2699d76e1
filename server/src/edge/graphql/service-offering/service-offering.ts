import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { createServiceOffering } from '../../../usecases/service-offering/create-service-offering.ts'
import { deleteServiceOffering } from '../../../usecases/service-offering/delete-service-offering.ts'
import { updateServiceOffering } from '../../../usecases/service-offering/update-service-offering.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateServiceOfferingInput,
  DeleteServiceOfferingInput,
  ServiceOfferingFilter,
  ServiceOfferingOrder,
  UpdateServiceOfferingInput,
} from './service-offering-inputs.ts'
import {
  CreateServiceOfferingPayload,
  DeleteServiceOfferingPayload,
  ServiceOffering,
  ServiceOfferingConnection,
  UpdateServiceOfferingPayload,
} from './service-offering-types.ts'

@Resolver(() => ServiceOffering)
export class ServiceOfferingResolver {
  @needs('vms:read')
  @Query(() => ServiceOffering, {
    nullable: true,
    description: 'Finds a service offering by its id; null when there is none.',
  })
  serviceOffering(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.serviceOfferings.find(id)
  }

  @needs('vms:read')
  @Query(() => ServiceOfferingConnection, { description: 'The VM sizes that tenants can choose.' })
  serviceOfferings(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => ServiceOfferingFilter, { nullable: true }) filter?: ServiceOfferingFilter,
    @Arg('orderBy', () => ServiceOfferingOrder, { nullable: true }) orderBy?: ServiceOfferingOrder,
  ) {
    return ServiceOfferingConnection.read(reads.serviceOfferings, {
      query: {
        search: filter?.search,
        includeInactive: filter?.includeInactive ?? false,
        ...sortOf(orderBy, 'name'),
      },
      page: pageOf(args),
    })
  }

  @needs('vms:write', 'tenants:write')
  @Mutation(() => CreateServiceOfferingPayload, {
    description: 'Creates a VM size that all tenants can choose.',
  })
  createServiceOffering(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateServiceOfferingInput) input: CreateServiceOfferingInput,
  ) {
    return write((op) => createServiceOffering(op, input))
  }

  @needs('vms:write', 'tenants:write')
  @Mutation(() => UpdateServiceOfferingPayload, {
    description:
      'Changes a VM size for new VMs. Existing VMs keep their size until they are resized.',
  })
  updateServiceOffering(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateServiceOfferingInput) input: UpdateServiceOfferingInput,
  ) {
    return write((op) => updateServiceOffering(op, input))
  }

  @needs('vms:write', 'tenants:write')
  @Mutation(() => DeleteServiceOfferingPayload, {
    description: 'Deletes a VM size. VMs that have it keep their size.',
  })
  deleteServiceOffering(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteServiceOfferingInput) input: DeleteServiceOfferingInput,
  ) {
    return write((op) => deleteServiceOffering(op, input))
  }
}
