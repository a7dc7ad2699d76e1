import { expect, test } from 'vitest'
import { Fault } from '../../engine/model/fault.ts'
import { requireCron } from './cron.ts'

const refusalOf = (cron: string): string => {
  try {
    requireCron(cron, 'cron')
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
  return 'accepted'
}

test.each([
  { cron: '60 0 * * *', sentence: 'minute, which must be *, a number or a rising range from 0 to' },
  { cron: '0 0 * 13 *', sentence: 'from 1 to 12, a word such as jan, or a rising range of them;' },
  { cron: '0 0 * * 8', sentence: 'from 0 to 7, a word such as sun, or a rising range of them;' },
  { cron: '0 0 * * fri-sun', sentence: 'Sunday is 0 or 7, and sun is 0' },
  { cron: '0 0 * * 5-7', sentence: 'accepted' },
  { cron: '0 0 * jan-mar 7', sentence: 'accepted' },
])('the cron text $cron is answered with "$sentence"', ({ cron, sentence }) => {
  expect(refusalOf(cron)).toContain(sentence)
})
