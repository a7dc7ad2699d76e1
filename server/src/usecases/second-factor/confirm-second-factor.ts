import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { invalid } from '../../engine/model/name.ts'
import { mustHaveHomeTenant } from '../../domain/identity/principal.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Op } from '../../store/op.ts'
import { type Call } from '../berth.ts'
import { type Identity } from '../identity/identity.ts'
import { userAfter } from '../identity/lock-user.ts'
import { isAppCode } from './is-valid-code.ts'
import { newRecoveryCodes, recoveryHashes } from './recovery-codes.ts'

export interface ConfirmSecondFactorRequest {
  code: string
}

export interface WithRecoveryCodes {
  /** Each code replaces a code of the app once. They are in this response and nowhere else. */
  recoveryCodes: string[]
  user: UserView
}

/** Makes the second factor that the viewer began count, after a code has shown that it works. */
export async function confirmSecondFactor(
  { berth }: Pick<Identity, 'berth'>,
  call: Call,
  { code }: ConfirmSecondFactorRequest,
): Promise<WithRecoveryCodes> {
  if (call.viewer.credential === 'api_key')
    throw new Fault('forbidden', messageOf('access.second_factor_by_login'))
  const scope = { tenantId: mustHaveHomeTenant(call.viewer) }
  return berth.write({ ...call, scope }, (op) => confirm(op, code))
}

async function confirm(op: Op, code: string): Promise<WithRecoveryCodes> {
  const { userId } = op.viewer
  const factor = await op.secondFactors.find(userId)
  if (!factor) throw new Fault('wrong_state', messageOf('access.second_factor_not_begun'))
  if (factor.confirmedAt) throw new Fault('wrong_state', messageOf('access.second_factor_present'))
  if (!isAppCode(op, factor, code)) throw invalid('code', messageOf('field.not_code'))
  const recoveryCodes = newRecoveryCodes()
  factor.recoveryHashes = recoveryHashes(recoveryCodes)
  op.secondFactors.confirm(factor)
  return { recoveryCodes, user: await userAfter(op, userId) }
}
