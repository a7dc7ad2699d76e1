import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { needs } from '../../../engine/graphql/needs.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { type FieldContext } from '../context.ts'
import { findNode, readsOf } from './find-object.ts'

@Resolver()
export class NodeResolver {
  @needs('any')
  @Query(() => Node, {
    nullable: true,
    description:
      'An object of any type that implements `Node`. Null when there is none with this id, or the caller may not read it.',
  })
  async node(
    @Ctx() request: FieldContext,
    @Arg('id', () => ID) id: string,
  ): Promise<object | null> {
    const kind = await readsOf(request).nodes.kindOf(id)
    // PostgreSQL reads ids in any case and writes them in lower case.
    return kind && findNode(request, kind, id.toLowerCase())
  }
}
