import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { notFound } from '../../../engine/model/fault.ts'
import { needsSecondFactor } from '../../../domain/identity/second-factor.ts'
import { beginSecondFactor } from '../../../usecases/second-factor/begin-second-factor.ts'
import {
  disableSecondFactor,
  renewRecoveryCodes,
} from '../../../usecases/second-factor/change-second-factor.ts'
import { confirmSecondFactor } from '../../../usecases/second-factor/confirm-second-factor.ts'
import { requireSecondFactor } from '../../../usecases/second-factor/require-second-factor.ts'
import { resetSecondFactor } from '../../../usecases/second-factor/reset-second-factor.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import {
  needs,
  openWithoutSecondFactor,
  sameAccessAsObject,
} from '../../../engine/graphql/needs.ts'
import {
  BeginSecondFactorInput,
  BeginSecondFactorPayload,
  ConfirmSecondFactorInput,
  ConfirmSecondFactorPayload,
  DisableSecondFactorInput,
  DisableSecondFactorPayload,
  RenewRecoveryCodesInput,
  RenewRecoveryCodesPayload,
  RequireSecondFactorInput,
  RequireSecondFactorPayload,
  ResetSecondFactorInput,
  ResetSecondFactorPayload,
  SecondFactor,
} from './second-factor-types.ts'
import { Viewer } from './viewer.ts'

@Resolver(() => Viewer)
export class SecondFactorResolver {
  @sameAccessAsObject()
  @FieldResolver(() => SecondFactor, { description: 'The second factor of the user.' })
  async secondFactor(
    @Root() { id, username }: Viewer,
    @Ctx() { berth }: GraphRequest,
  ): Promise<SecondFactor> {
    const found = await berth.reads('platform').secondFactors.of(id)
    if (!found) throw notFound('user', username)
    const { confirmedAt, recoveryCodesLeft, hasPassword } = found
    const isRequired = needsSecondFactor(berth.secondFactorPolicy, found)
    return { confirmedAt, recoveryCodesLeft, isAvailable: hasPassword, isRequired }
  }

  @needs('any')
  @openWithoutSecondFactor()
  @Mutation(() => BeginSecondFactorPayload, {
    description:
      'Returns the secret of a new second factor. Logins need a code after `confirmSecondFactor`; until then, a second call replaces the secret.',
  })
  beginSecondFactor(
    @Ctx() { identity, call }: FieldContext,
    @Arg('input', () => BeginSecondFactorInput) input: BeginSecondFactorInput,
  ) {
    return beginSecondFactor(identity, call, input)
  }

  @needs('any')
  @openWithoutSecondFactor()
  @Mutation(() => ConfirmSecondFactorPayload, {
    description: 'Confirms the second factor with its first code, and returns recovery codes.',
  })
  confirmSecondFactor(
    @Ctx() { identity, call }: FieldContext,
    @Arg('input', () => ConfirmSecondFactorInput) input: ConfirmSecondFactorInput,
  ) {
    return confirmSecondFactor(identity, call, input)
  }

  @needs('any')
  @Mutation(() => DisableSecondFactorPayload, {
    description: 'Removes the second factor of the user, unless the user must have one.',
  })
  disableSecondFactor(
    @Ctx() { identity, call }: FieldContext,
    @Arg('input', () => DisableSecondFactorInput) input: DisableSecondFactorInput,
  ) {
    return disableSecondFactor(identity, call, input)
  }

  @needs('any')
  @Mutation(() => RenewRecoveryCodesPayload, {
    description: 'Replaces the recovery codes of the user. Earlier ones no longer work.',
  })
  renewRecoveryCodes(
    @Ctx() { identity, call }: FieldContext,
    @Arg('input', () => RenewRecoveryCodesInput) input: RenewRecoveryCodesInput,
  ) {
    return renewRecoveryCodes(identity, call, input)
  }

  @needs('users:write')
  @Mutation(() => ResetSecondFactorPayload, {
    description:
      'Removes the second factor of another user who lost the device, and ends the logins of the user.',
  })
  resetSecondFactor(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => ResetSecondFactorInput) input: ResetSecondFactorInput,
  ) {
    return write((op) => resetSecondFactor(op, input))
  }

  @needs('users:write')
  @Mutation(() => RequireSecondFactorPayload, {
    description:
      'Requires a second factor of each user of the tenant with a password, or no longer. A user without one can then only set it up.',
  })
  requireSecondFactor(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => RequireSecondFactorInput) input: RequireSecondFactorInput,
  ) {
    return write((op) => requireSecondFactor(op, input))
  }
}
