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
import {
  auditsItself,
  needs,
  openWithoutSecondFactor,
  sameAccessAsObject,
} from '../../../engine/graphql/needs.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { Tenant } from '../tenant/tenant-types.ts'
import { User, UserRoleEnum } from './user-types.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'The logged-in user, and the tenant in which the user acts.',
})
export class Viewer {
  @Field(() => ID, { description: 'The id of the user.' }) id!: string
  @Field(() => String, { description: 'The name with which the user logs in.' })
  username!: string
  @Field(() => String, { description: 'Empty when it is unknown.' })
  email!: string
  @Field(() => UserRoleEnum, { description: '`root`, the admin of a tenant, or another user.' })
  role!: UserRole
  @Field(() => ID, { description: 'The role with the permissions of the user.' })
  roleId!: string
  @Field(() => [String], { description: 'The permissions of the credential of the request.' })
  permissions!: string[]
  @Field(() => ID, { nullable: true, description: 'The tenant to which the user belongs.' })
  homeTenantId!: string | null
  @Field(() => Boolean, {
    description:
      'True when the user must set up a second factor: until then, every other operation is refused.',
  })
  lacksSecondFactor!: boolean
}

@ObjectType({ simpleResolvers: true, description: 'A token, with the user to whom it belongs.' })
class LoginPayload {
  @Field(() => String, { description: 'The token for the header `Authorization: Bearer`.' })
  token!: string
  @Field(() => DateTime, { description: 'When the token expires.' })
  expiresAt!: string
  @Field(() => User, { description: 'The user who logged in.' }) user!: User
  @Field(() => [String], { description: 'The permissions of the user.' })
  permissions!: readonly string[]
}

@ObjectType({ simpleResolvers: true })
class ChangePasswordPayload {
  @Field(() => User) user!: User
}

@InputType()
class LoginInput {
  @Field(() => String, {
    description:
      'The user as `tenant/name`, with the slug of the tenant. The name alone works while no more ' +
      'than three users have it and their passwords differ.',
  })
  username!: string
  @Field(() => String, { description: 'The password of the user.' })
  password!: string
  @Field(() => String, {
    nullable: true,
    description:
      'A code of the authenticator app, or a recovery code. Only a user with a second factor needs it.',
  })
  code?: string | null
}

@InputType()
class ChangePasswordInput {
  @Field(() => String, { description: 'The password until now.' })
  currentPassword!: string
  @Field(() => String, { description: 'The new password.' })
  newPassword!: string
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @needs('any')
  @openWithoutSecondFactor()
  @Query(() => Viewer, {
    description: 'The logged-in user, and the tenant in which the user acts.',
  })
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
      lacksSecondFactor: viewer.lacksSecondFactor,
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
      device: null,
    })
  }

  @needs('any')
  @Mutation(() => ChangePasswordPayload, {
    description:
      'Changes the password of the logged-in user, and ends all logins of the user, this one too.',
  })
  changePassword(
    @Ctx() { identity, call }: FieldContext,
    @Arg('input', () => ChangePasswordInput) input: ChangePasswordInput,
  ) {
    return changePassword(identity, call, input)
  }
}
