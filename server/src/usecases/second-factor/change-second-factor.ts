import { Fault, notFound } from '../../engine/model/fault.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { invalid } from '../../engine/model/name.ts'
import { needsSecondFactor } from '../../domain/identity/second-factor.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type SecondFactor } from '../../store/identity/second-factor-entity.ts'
import { type Op } from '../../store/op.ts'
import { type Call } from '../berth.ts'
import { type Identity } from '../identity/identity.ts'
import { userAfter } from '../identity/lock-user.ts'
import { type WithRecoveryCodes } from './confirm-second-factor.ts'
import { isValidCode } from './is-valid-code.ts'
import { type ProvenAccount, proofOf, provenAccount } from './proven-account.ts'
import { newRecoveryCodes, recoveryHashes } from './recovery-codes.ts'

/** The proof that a login needs, too. */
export interface SecondFactorProof {
  password: string
  /** A code of the app, or a recovery code. */
  code: string
}

/** Removes the second factor of the viewer, unless the viewer must have one. */
export function disableSecondFactor(
  identity: Identity,
  call: Call,
  proof: SecondFactorProof,
): Promise<{ user: UserView }> {
  const absent = messageOf('access.second_factor_absent_already')
  return withProof(identity, { call, proof, absent }, async (op, { account, factor }) => {
    const subject = await op.reads.secondFactors.of(account.id)
    if (!subject) throw notFound('user', account.username)
    if (needsSecondFactor(identity.berth.secondFactorPolicy, subject))
      throw new Fault('forbidden', messageOf('access.second_factor_needed'))
    op.secondFactors.remove(factor)
    return { user: await userAfter(op, account.id) }
  })
}

/** Replaces the recovery codes of the viewer. Earlier ones no longer work. */
export function renewRecoveryCodes(
  identity: Identity,
  call: Call,
  proof: SecondFactorProof,
): Promise<WithRecoveryCodes> {
  const absent = messageOf('access.second_factor_absent')
  return withProof(identity, { call, proof, absent }, async (op, { account, factor }) => {
    const recoveryCodes = newRecoveryCodes()
    factor.recoveryHashes = recoveryHashes(recoveryCodes)
    return { recoveryCodes, user: await userAfter(op, account.id) }
  })
}

interface ProvenRequest {
  call: Call
  proof: SecondFactorProof
  /** The refusal of a viewer without a second factor. */
  absent: Message
}

interface Proven {
  account: ProvenAccount
  factor: SecondFactor
}

/** Runs `act` after checking password and code. Failures count as failed logins. */
async function withProof<T>(
  identity: Identity,
  { call, proof: { password, code }, absent }: ProvenRequest,
  act: (op: Op, proven: Proven) => Promise<T>,
): Promise<T> {
  const account = await provenAccount(identity, call, proofOf(password))
  const scope = { tenantId: account.tenantId }
  const result = await identity.berth.write({ ...call, scope }, async (op) => {
    const factor = await op.secondFactors.find(account.id)
    if (!factor?.confirmedAt) throw new Fault('wrong_state', absent)
    if (!isValidCode(op, factor, code))
      throw invalid('code', messageOf('field.not_code_or_recovery'))
    return act(op, { account, factor })
  })
  await account.attempt.forgive()
  return result
}
