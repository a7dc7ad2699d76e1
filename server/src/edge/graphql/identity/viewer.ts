import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql'
import { notFound } from '../../../engine/model/fault.ts'
import { type UserRole } from '../../../engine/model/viewer.ts'
import { type TenantView } from '../../../domain/tenant/tenant.ts'
import { changePassword } from '../../../usecases/identity/change-password.ts'
import { login } from '../../../usecases/session/login.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { sameAccessAsObject, auditsItself, needs } from '../../../engine/graphql/needs.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { Tenant } from '../tenant/tenant-types.ts'
import { User, UserRoleEnum } from './user-types.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'The logged-in user, and the tenant in which the user acts.',
})
export class Viewer {
  @Field(() => ID) id!: string
  @Field(() => String) username!: string
  @Field(() => String) email!: string
  @Field(() => UserRoleEnum) role!: UserRole
  @Field(() => ID) roleId!: string
  @Field(() => [String]) permissions!: string[]
  @Field(() => ID, { nullable: true }) homeTenantId!: string | null
}

@ObjectType({ simpleResolvers: true })
class LoginPayload {
  @Field(() => String) token!: string
  @Field(() => DateTime) expiresAt!: string
  @Field(() => User) user!: User
  @Field(() => [String]) permissions!: readonly string[]
}

@ObjectType({ simpleResolvers: true })
class ChangePasswordPayload {
  @Field(() => User) user!: User
}

@InputType()
class LoginInput {
  @Field(() => String) username!: string
  @Field(() => String) password!: string
}

@InputType()
class ChangePasswordInput {
  @Field(() => String) currentPassword!: string
  @Field(() => String) newPassword!: string
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @needs('any')
  @Query(() => Viewer)
  async viewer(@Ctx() { viewer, berth }: FieldContext): Promise<Viewer> {
    const user = await berth
      .reads({ tenantId: viewer.homeTenantId ?? '' })
      .users.find(viewer.userId)
    if (!user) throw notFound('user', viewer.username)
    const { id, username, email, role, roleId } = user
    return {
      id,
      username,
      email,
      role,
      roleId,
      permissions: [...viewer.permissions],
      homeTenantId: viewer.homeTenantId,
    }
  }

  @sameAccessAsObject()
  @FieldResolver(() => Tenant, {
    nullable: true,
    description: 'The tenant in which the user acts now.',
  })
  tenant(@Ctx() { viewer, berth }: GraphRequest): Promise<TenantView | null> | null {
    return viewer.tenantId
      ? berth.reads({ tenantId: viewer.tenantId }).tenants.find(viewer.tenantId)
      : null
  }

  @needs('public')
  @auditsItself()
  @Mutation(() => LoginPayload, {
    description:
      'Returns a long-lived token for scripts. The console uses its own session instead.',
  })
  login(
    @Ctx() { identity, requestId, address, userAgent }: FieldContext,
    @Arg('input', () => LoginInput) input: LoginInput,
  ) {
    return login(identity, {
      ...input,
      kind: 'token',
      operation: 'login',
      requestId,
      address,
      userAgent,
    })
  }

  @needs('any')
  @Mutation(() => ChangePasswordPayload)
  changePassword(
    @Ctx() { identity, call }: FieldContext,
    @Arg('input', () => ChangePasswordInput) input: ChangePasswordInput,
  ) {
    return changePassword(identity, call, input)
  }
}
