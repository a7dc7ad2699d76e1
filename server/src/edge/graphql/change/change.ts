import { Arg, Ctx, Extensions, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import { type Hub } from '../../../engine/changes/hub.ts'
import { allChangeKinds, changeKinds } from '../../../domain/nouns.ts'
import { type ChangeKind, type Delivery } from '../../../engine/model/change.ts'
import { type Viewer, may } from '../../../engine/model/viewer.ts'
import { isFinal } from '../../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { Change, ChangeKindEnum } from './change-types.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { scopeOf } from '../guard.ts'
import { needs, platformWide } from '../../../engine/graphql/needs.ts'
import { Operation } from '../operation/operation-types.ts'
import { watchRow } from './watch-row.ts'

interface Asked<Args> {
  args: Args
  /** Made by the guard. */
  context: FieldContext
}

interface ChangesArgs {
  after?: string | null
  kinds?: readonly ChangeKind[] | null
}

@Resolver()
export class ChangeResolver {
  @needs('any')
  @platformWide()
  @Query(() => String, {
    description:
      'Where the changes stood before this request was answered. Subscribe to `changes` after it, and nothing is missed that changes what the same request has read.',
  })
  changeCursor(@Ctx() { changeCursor }: FieldContext): string {
    return changeCursor
  }

  @needs('any')
  @platformWide()
  @Extensions({ fanOut: { after: 'after', mayHaveMissed, keyOf: objectOf } })
  @Subscription(() => Change, {
    description:
      'Every change that the caller may see, from now on or from where an earlier subscription ended.',
    subscribe: ({ args, context }: Asked<ChangesArgs>) =>
      context.hub.subscribe(wantedBy(args, context)),
  })
  changes(
    @Root() delivery: Delivery,
    @Arg('after', () => String, { nullable: true }) _after?: string,
    @Arg('kinds', () => [ChangeKindEnum], { nullable: true }) _kinds?: ChangeKind[],
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
    description:
      'The operation as it is, and again each time that it has changed, until it has ended.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
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

function wantedBy(
  { after, kinds }: ChangesArgs,
  { scope, viewer }: Pick<FieldContext, 'scope' | 'viewer'>,
): Parameters<Hub['subscribe']>[0] {
  return { scope, after, kinds: (kinds ?? allChangeKinds).filter((kind) => mayHear(viewer, kind)) }
}

function mayHaveMissed(args: ChangesArgs, { hub, viewer }: GraphRequest): boolean {
  return hub.mayHaveMissed(wantedBy(args, { viewer, scope: scopeOf(viewer, ['any'], true) }))
}

/** Whoever waits for several changes of one object needs the last one only. */
function objectOf(delivery: Delivery): string | null {
  return delivery.gap ? null : `${delivery.change.kind}/${delivery.change.objectId}`
}

function mayHear(viewer: Viewer, kind: ChangeKind): boolean {
  const requirement = changeKinds[kind]
  return requirement === 'any' || may(viewer, requirement)
}
