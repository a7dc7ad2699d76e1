import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Rule, causesWhere } from './rule.ts'

/** Validates the start strategy, and the eviction strategy for a drained node. */
export const strategies: Record<'start' | 'eviction', Rule> = {
  start({ spec, at }) {
    const field = `${at}.startStrategy`
    const strategy = read.text(spec.startStrategy)
    const clash = `either ${field} or ${at}.livenessProbe should be provided.Pausing VMI with LivenessProbe is not supported`
    return causesWhere(
      [
        spec.startStrategy !== undefined && strategy !== 'Paused',
        cause.wrong(field, `${field} is set with an unrecognized option: ${strategy}`),
      ],
      [strategy === 'Paused' && spec.livenessProbe !== undefined, cause.wrong(field, clash)],
    )
  },

  eviction({ spec, at }) {
    const strategy = read.text(spec.evictionStrategy)
    const known = ['', 'LiveMigrate', 'LiveMigrateIfPossible', 'None', 'External']
    const field = `${at}.evictionStrategy`
    return known.includes(strategy)
      ? []
      : [cause.wrong(field, `${field} is set with an unrecognized option: ${strategy}`)]
  },
}
