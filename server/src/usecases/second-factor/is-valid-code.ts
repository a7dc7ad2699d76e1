import { bytesFromBase32, matchingTotpStep } from '../../runtime/totp.ts'
import { type SecondFactor } from '../../store/identity/second-factor-entity.ts'
import { type Op } from '../../store/op.ts'
import { withoutUsedCode } from './recovery-codes.ts'

/** True for a code that the authenticator app shows. The unit records the use of the code. */
export function isAppCode(op: Op, factor: SecondFactor, code: string): boolean {
  const step = matchingTotpStep(plain(code), {
    secret: bytesFromBase32(op.secondFactors.secretOf(factor).reveal()),
    timeMs: op.secondFactors.nowMs,
    lastStep: factor.lastStep,
  })
  if (step === null) return false
  factor.lastStep = step
  return true
}

/** True for a code of the app, or for a recovery code. The unit records the use of the code. */
export function isValidCode(op: Op, factor: SecondFactor, code: string): boolean {
  if (isAppCode(op, factor, code)) return true
  const left = withoutUsedCode(factor.recoveryHashes, plain(code))
  if (left === null) return false
  factor.recoveryHashes = left
  return true
}

/** Apps and users separate the characters of a code by spaces and dashes. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()
