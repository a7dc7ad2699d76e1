import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { faultCodes } from '../../../engine/model/fault.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { cancelRefusal } from '../../../domain/operation/cancel-refusal.ts'
import { cancelOperation } from '../../../usecases/operation/cancel-operation.ts'
import { remedyOf, titleOf } from '../../../engine/http/faults.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { findNode } from '../node/find-object.ts'
import { isNodeKind } from '../node/node-kinds.ts'
import { sameAccessAsObject, needs, platformWide } from '../../../engine/graphql/needs.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { CancelOperationInput, OperationFilter, OperationOrder } from './operation-inputs.ts'
import {
  CancelOperationPayload,
  Operation,
  OperationConnection,
  OperationFault,
  OperationStep,
} from './operation-types.ts'
import { WaitSeconds, findEnded } from '../wait.ts'
import { requestedSort } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { stepTitle } from '../../../domain/operation/kind.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'

@Resolver(() => Operation)
export class OperationResolver {
  @needs('any')
  @platformWide()
  @Query(() => Operation, {
    nullable: true,
    description: 'Finds an operation by its id; null when there is none.',
  })
  operation(
    @Ctx() context: FieldContext,
    @Arg('id', () => ID) id: string,
    @WaitSeconds() waitSeconds?: number,
  ) {
    return findEnded(context, id, waitSeconds)
  }

  @needs('any')
  @platformWide()
  @Query(() => OperationConnection, {
    description:
      'The operations of the tenant, newest first. Callers who may read all tenants and name none see the operations of all.',
  })
  operations(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => OperationFilter, { nullable: true }) filter?: OperationFilter,
    @Arg('orderBy', () => OperationOrder, { nullable: true }) orderBy?: OperationOrder,
  ) {
    return OperationConnection.read(reads.operations, {
      query: { ...filter, ...requestedSort(orderBy) },
      page: pageOf(args),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => [OperationStep], { description: 'The steps in their order.' })
  steps(@Root() { kind, steps }: OperationView): OperationStep[] {
    return steps.map((step) => ({ ...step, title: stepTitle(kind, step.name) }))
  }

  @sameAccessAsObject()
  @FieldResolver(() => Node, {
    nullable: true,
    description:
      'The object that the operation changes. Null when it does not exist any more, or the caller may not read it.',
  })
  target(
    @Ctx() request: GraphRequest,
    @Root() { targetKind, targetId }: OperationView,
  ): Promise<object | null> | null {
    return isNodeKind(targetKind) ? findNode(request, targetKind, targetId) : null
  }

  @sameAccessAsObject()
  @FieldResolver(() => OperationFault, {
    nullable: true,
    description: 'Why the operation failed, and how to fix it.',
  })
  fault(@Root() operation: OperationView): OperationFault | null {
    const code = faultCodes.find((known) => known === operation.faultCode)
    return code
      ? {
          code,
          message: operation.faultDetail ?? titleOf(code),
          remedy: remedyOf(code),
        }
      : null
  }

  @sameAccessAsObject()
  @FieldResolver(() => Boolean, {
    description:
      'True while the caller can cancel the operation. False when it has ended, and when a user has cancelled it already.',
  })
  cancellable(@Root() operation: OperationView, @Ctx() { viewer }: FieldContext): boolean {
    // Most kinds cannot be cancelled. A list of them must not create a refusal for each row.
    if (!operation.cancellable || operation.cancelRequestedAt !== null) return false
    return cancelRefusal(operation, viewer) === null
  }

  @needs('any')
  @platformWide()
  @Mutation(() => CancelOperationPayload, {
    description:
      'Requests the cancellation of an operation that has not ended. Most kinds of operations cannot be cancelled.',
  })
  cancelOperation(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CancelOperationInput) input: CancelOperationInput,
  ) {
    return write((op) => cancelOperation(op, input))
  }
}

export const OperationObjectsResolver = relatedObjects<OperationView>(Operation, {
  ...itsTenant,
  actor: { kind: 'user', id: 'actorId', description: 'The user who started the operation.' },
  successor: {
    kind: 'operation',
    id: 'supersededBy',
    description: 'The later operation that replaced this one.',
  },
})
