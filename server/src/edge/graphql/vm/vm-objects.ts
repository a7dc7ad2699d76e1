import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { type NicView } from '../../../domain/nic/nic.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { type VmEventView } from '../../../domain/vm-event/vm-event.ts'
import { type VmSnapshotView } from '../../../domain/vm-snapshot/vm-snapshot.ts'
import { type VmView } from '../../../domain/vm/vm.ts'
import { sameAccessAsObject } from '../../../engine/graphql/needs.ts'
import { First } from '../../../engine/graphql/page-args.ts'
import { batchReadNewest } from '../batch-read.ts'
import { type GraphRequest } from '../context.ts'
import { Network } from '../network/network-types.ts'
import { nicsOf } from '../nic/nic.ts'
import { findObjects, readsOf } from '../node/find-object.ts'
import { mayRead } from '../node/node-kinds.ts'
import { type RelatedObjects, itsTenant, relatedObjects } from '../node/related-objects.ts'
import { Operation } from '../operation/operation-types.ts'
import { newestOperationsOn } from '../operation/newest-operations.ts'
import { VmSnapshot } from '../vm-snapshot/vm-snapshot-types.ts'
import { VmEvent } from './vm-event.ts'
import { Vm } from './vm-types.ts'

export const vmObjects = {
  ...itsTenant,
  template: { kind: 'vm_template', id: 'templateId', description: 'The template of the VM.' },
  serviceOffering: {
    kind: 'service_offering',
    id: 'serviceOfferingId',
    description: 'The service offering that determines the size.',
  },
} as const satisfies RelatedObjects<VmView>

export const VmObjectsResolver = relatedObjects<VmView>(Vm, vmObjects)

/** Lists of objects that belong to a VM. */
@Resolver(() => Vm)
export class VmListsResolver {
  @sameAccessAsObject()
  @FieldResolver(() => [Network], {
    nullable: true,
    description: 'The private networks of its NICs. Null when the caller may not read networks.',
  })
  async networks(
    @Ctx() request: GraphRequest,
    @Root() { id }: Vm,
    @Root('nics') nics: readonly NicView[] | undefined,
  ): Promise<readonly object[] | null> {
    if (!mayRead(request.viewer, 'network')) return null
    const found = nics ?? (await nicsOf(request, id)) ?? []
    return findObjects(request, 'network', new Set(found.map(({ networkId }) => networkId)))
  }

  @sameAccessAsObject()
  @FieldResolver(() => [Operation], { description: 'The operations on the VM, newest first.' })
  operations(
    @Ctx() request: GraphRequest,
    @Root() { id }: Vm,
    @First() first: number,
  ): Promise<readonly OperationView[]> {
    return operationsOnVm(request, id, first)
  }

  @sameAccessAsObject()
  @FieldResolver(() => [VmSnapshot], { description: 'The snapshots of the VM, newest first.' })
  snapshots(
    @Ctx() request: GraphRequest,
    @Root() { id }: Vm,
    @First() first: number,
  ): Promise<readonly VmSnapshotView[]> {
    return snapshotsOfVm(request, id, first)
  }

  @sameAccessAsObject()
  @FieldResolver(() => [VmEvent], { description: 'The events of the VM, newest first.' })
  events(
    @Ctx() request: GraphRequest,
    @Root() { id }: Vm,
    @First() first: number,
  ): Promise<readonly VmEventView[]> {
    return eventsOfVm(request, id, first)
  }
}

const operationsOnVm = newestOperationsOn('vm')

const snapshotsOfVm = batchReadNewest(
  (request, ids, first) => readsOf(request).vmSnapshots.newestOf(ids, first),
  ({ vmId }) => vmId,
)

const eventsOfVm = batchReadNewest(
  (request, ids, first) => readsOf(request).vmEvents.newestOf(ids, first),
  ({ vmId }) => vmId,
)
