import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { Tenant } from '../tenant/tenant-types.ts'
import { User } from './user-types.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'The second factor of the logged-in user: codes of an authenticator app.',
})
export class SecondFactor {
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the user set it up; null without a second factor.',
  })
  confirmedAt!: string | null
  @Field(() => Int, { description: 'The recovery codes that were not used yet.' })
  recoveryCodesLeft!: number
  @Field(() => Boolean, { description: 'False for a user who logs in with an identity provider.' })
  isAvailable!: boolean
  @Field(() => Boolean, {
    description:
      'True when the user must have one. Without it, every operation except setting it up is refused.',
  })
  isRequired!: boolean
}

@ObjectType({
  simpleResolvers: true,
  description: 'The secret of a second factor that is not confirmed yet.',
})
export class BeginSecondFactorPayload {
  @Field(() => String, { description: 'The secret in base32, for the authenticator app.' })
  secret!: string
  @Field(() => String, { description: 'The secret as an `otpauth:` URL, for a QR code.' })
  url!: string
  @Field(() => User) user!: User
}

@ObjectType({ simpleResolvers: true, description: 'The first recovery codes of the user.' })
export class ConfirmSecondFactorPayload {
  @Field(() => [String], {
    description: 'Each code replaces a code of the app once. They are shown only here.',
  })
  recoveryCodes!: string[]
  @Field(() => User) user!: User
}

@ObjectType({ simpleResolvers: true, description: 'The new recovery codes of the user.' })
export class RenewRecoveryCodesPayload extends ConfirmSecondFactorPayload {}

@ObjectType({ simpleResolvers: true })
export class DisableSecondFactorPayload {
  @Field(() => User) user!: User
}

@ObjectType({ simpleResolvers: true })
export class ResetSecondFactorPayload extends DisableSecondFactorPayload {}

@ObjectType({ simpleResolvers: true })
export class RequireSecondFactorPayload {
  @Field(() => Tenant) tenant!: Tenant
}

@InputType()
export class BeginSecondFactorInput {
  @Field(() => String, { description: 'The password of the user.' })
  password!: string
}

@InputType()
export class ConfirmSecondFactorInput {
  @Field(() => String, { description: 'The code that the authenticator app shows now.' })
  code!: string
}

@InputType()
export class DisableSecondFactorInput {
  @Field(() => String, { description: 'The password of the user.' })
  password!: string
  @Field(() => String, { description: 'A code of the authenticator app, or a recovery code.' })
  code!: string
}

@InputType()
export class RenewRecoveryCodesInput extends DisableSecondFactorInput {}

@InputType()
export class ResetSecondFactorInput {
  @Field(() => ID, { description: 'The user who lost the device.' }) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class RequireSecondFactorInput {
  @Field(() => Boolean, {
    description: 'True when each user of the tenant with a password needs a second factor.',
  })
  required!: boolean
}
