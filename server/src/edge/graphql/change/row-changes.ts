import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql'
import { needs } from '../../../engine/graphql/needs.ts'
import { type ChangeKind } from '../../../engine/model/change.ts'
import { type Noun } from '../../../engine/model/message.ts'
import { type FieldContext } from '../context.ts'
import { watchRow } from './watch-row.ts'

interface RowChanges<View> {
  /** The name of the subscription in the schema. */
  name: string
  type: () => new () => object
  needs: Parameters<typeof needs>
  kind: ChangeKind
  /** The word for the row in a refusal. */
  noun: Noun
  description: string
  read: (reads: FieldContext['reads'], id: string) => Promise<View | null>
}

interface SubscriptionContext {
  args: { id: string }
  /** Created by the authorization wrapper of the schema. */
  context: FieldContext
}

/** Builds a subscription that sends one row now and again after each change. */
export function rowChanges<View extends { id: string; version: number }>({
  name,
  type,
  description,
  ...row
}: RowChanges<View>): new () => object {
  @Resolver()
  class RowChangesResolver {
    @needs(...row.needs)
    @Subscription(type, {
      name,
      description,
      subscribe: ({ args: { id }, context }: SubscriptionContext) =>
        watchRow(context, {
          kind: row.kind,
          noun: row.noun,
          read: () => row.read(context.reads, id),
        }),
    })
    changed(@Root() view: View, @Arg('id', () => ID) _id: string): View {
      return view
    }
  }
  return RowChangesResolver
}
