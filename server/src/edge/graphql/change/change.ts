import { Arg, Ctx, Extensions, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import { type Hub } from '../../../engine/changes/hub.ts'
import { allChangeKinds, changeKinds } from '../../../domain/nouns.ts'
import { type ChangeKind, type Delivery } from '../../../engine/model/change.ts'
import { type Viewer, may } from '../../../engine/model/viewer.ts'
import { isFinal } from '../../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { Change, ChangeKindEnum } from './change-types.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { scopeOf } from '../authorize.ts'
import { needs, openWithoutSecondFactor, platformWide } from '../../../engine/graphql/needs.ts'
import { Operation } from '../operation/operation-types.ts'
import { watchRow } from './watch-row.ts'

interface SubscriptionContext<Args> {
  args: Args
  /** Created by the authorization wrapper of the schema. */
  context: FieldContext
}

interface ChangesArgs {
  after?: string | null
  kinds?: readonly ChangeKind[] | null
}

/** Lets clients follow the change log: all changes that they may see, or one operation. */
@Resolver()
export class ChangeResolver {
  @needs('any')
  @openWithoutSecondFactor()
  @platformWide()
  @Query(() => String, {
    description:
      'The position in the change log before this request was answered. Subscribe to `changes` with it to miss no later change of the objects that the same request reads.',
  })
  changeCursor(@Ctx() { changeCursor }: FieldContext): string {
    return changeCursor
  }

  @needs('any')
  @platformWide()
  @Extensions({ fanOut: { after: 'after', mayHaveMissed, keyOf: objectOf } })
  @Subscription(() => Change, {
    description: 'Every change that the caller may see, from now on or from the cursor `after`.',
    subscribe: ({ args, context }: SubscriptionContext<ChangesArgs>) =>
      context.hub.subscribe(hubSubscription(args, context)),
  })
  changes(
    @Root() delivery: Delivery,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'Sends the changes behind this cursor, which `changeCursor` or an earlier change returned. Without it, only new changes.',
    })
    _after?: string,
    @Arg('kinds', () => [ChangeKindEnum], {
      nullable: true,
      description: 'Only changes of objects of these kinds; all kinds by default.',
    })
    _kinds?: ChangeKind[],
  ): Change {
    if (!delivery.gap) return { ...delivery.change, gap: false }
    return {
      cursor: delivery.cursor,
      kind: null,
      objectId: null,
      tenantId: null,
      version: null,
      gap: true,
    }
  }

  @needs('any')
  @platformWide()
  @Subscription(() => Operation, {
    description: 'Sends the operation now and after each change, until it has ended.',
    subscribe: ({ args: { id }, context }: SubscriptionContext<{ id: string }>) =>
      watchRow(context, {
        kind: 'operation',
        noun: 'operation',
        read: () => context.reads.operations.find(id),
        isOver: ({ state }) => isFinal(state),
      }),
  })
  operation(@Root() operation: OperationView, @Arg('id', () => ID) _id: string): OperationView {
    return operation
  }
}

function hubSubscription(
  { after, kinds }: ChangesArgs,
  { scope, viewer }: Pick<FieldContext, 'scope' | 'viewer'>,
): Parameters<Hub['subscribe']>[0] {
  return { scope, after, kinds: (kinds ?? allChangeKinds).filter((kind) => maySee(viewer, kind)) }
}

function mayHaveMissed(args: ChangesArgs, { hub, viewer }: GraphRequest): boolean {
  return hub.mayHaveMissed(hubSubscription(args, { viewer, scope: scopeOf(viewer, ['any'], true) }))
}

/** A subscriber that lags behind needs only the last change of each object. */
function objectOf(delivery: Delivery): string | null {
  return delivery.gap ? null : `${delivery.change.kind}/${delivery.change.objectId}`
}

function maySee(viewer: Viewer, kind: ChangeKind): boolean {
  const requirement = changeKinds[kind]
  return requirement === 'any' || may(viewer, requirement)
}
