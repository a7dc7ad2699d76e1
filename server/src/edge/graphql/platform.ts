import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { type FieldContext } from './context.ts'
import { needs, openWithoutSecondFactor } from '../../engine/graphql/needs.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'This installation and the features that it offers.',
})
export class Platform {
  @Field(() => String, { description: 'The name of the product.' }) name!: string
  @Field(() => String, { description: 'The version of Berth.' }) version!: string
  @Field(() => Boolean, { description: 'True when the platform has a public network.' })
  publicNetworkEnabled!: boolean
  @Field(() => Boolean, { description: 'True when users can log in with an identity provider.' })
  oidcEnabled!: boolean
  @Field(() => Boolean, {
    description:
      'True when `compat.virtfoundry` is set: sockets accept access tokens in their URL, and clients without a credential can learn when VMs change.',
  })
  servesVirtfoundry!: boolean
  @Field(() => Int, {
    nullable: true,
    description: 'The most days that a new API key may live. Null is no limit.',
  })
  apiKeyMaxDays!: number | null
  @Field(() => String, { description: '`sandbox`, `kubeconfig` or `inCluster`.' }) cluster!: string
}

@Resolver()
export class PlatformResolver {
  @needs('any')
  @openWithoutSecondFactor()
  @Query(() => Platform, { description: 'This installation and the features that it offers.' })
  platform(@Ctx() { berth }: FieldContext): Platform {
    return berth.platform
  }
}
