import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type RoleView } from '../../../domain/identity/role.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { Operation } from '../operation/operation-types.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'A named set of permissions. System roles are part of the platform.',
})
export class Role implements Omit<RoleView, 'updatedAt'> {
  @Field(() => ID) id!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The tenant that owns the role. Null for a role of the platform.',
  })
  tenantId!: string | null
  @Field(() => String) name!: string
  @Field(() => String, { description: 'Free text; empty without one.' })
  description!: string
  @Field(() => Boolean, {
    description: 'True for a role of the platform, which cannot be changed.',
  })
  isSystem!: boolean
  @Field(() => [String], { description: 'The permissions of the users that have the role.' })
  permissions!: string[]
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
}

@ObjectType({ simpleResolvers: true })
export class RoleConnection extends connectionOf<RoleView>(Role, 'Role') {}

@ObjectType({ simpleResolvers: true })
class RolePayload {
  @Field(() => Role) role!: Role
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class CreateRolePayload extends RolePayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateRolePayload extends RolePayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteRolePayload extends RolePayload {}

@InputType()
export class RoleOrder extends orderOf('RoleSort', ['createdAt', 'name']) {}

@InputType()
export class CreateRoleInput {
  @Field(() => String) name!: string
  @Field(() => String, { nullable: true, description: 'A text for users, which Berth only shows.' })
  description?: string | null
  @Field(() => [String], { description: 'The permissions of the role.' }) permissions!: string[]
}

@InputType()
export class UpdateRoleInput {
  @Field(() => ID) id!: string
  @Field(() => String, {
    nullable: true,
    description: 'A text for users, which Berth only shows. An empty text removes it.',
  })
  description?: string | null
  @Field(() => [String], { nullable: true, description: 'The complete list of permissions.' })
  permissions?: string[] | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteRoleInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
