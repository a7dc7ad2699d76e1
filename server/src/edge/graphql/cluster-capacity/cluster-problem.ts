import { Ctx, Query, Resolver } from 'type-graphql'
import { type Message } from '../../../engine/model/message.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { type FieldContext } from '../context.ts'

@Resolver()
export class ClusterProblemResolver {
  // The answer names the account of Berth, so it needs a permission that only root has.
  @needs('tenants:read')
  @Query(() => [String], {
    description:
      'Components and rights that the cluster lacks for the work of Berth. Empty when nothing is missing.',
  })
  clusterProblems(@Ctx() { berth }: FieldContext): readonly Message[] {
    return berth.clusterProblems()
  }
}
