import { integer, maxLength, maxValue, minValue, nonEmpty, pipe, regex, string, transform, trim } from 'valibot'
import { number } from '../words/number.ts'
import { t } from '../words/t.ts'

/** A whole number that is typed as text, within what the server takes. */
export const whole = ({ least = 1, most, unit }: { least?: number; most: number; unit: string }) =>
  pipe(
    string(),
    trim(),
    regex(/^\d+$/, () => t('A whole number')),
    transform(Number),
    integer(),
    minValue(least, () => t('At least {least}', { least: least > 1 ? `${number(least)} ${unit}` : least })),
    maxValue(most, () => t('At most {most}', { most: `${number(most)} ${unit}` })),
  )

export const aName = (most = 63) =>
  pipe(
    string(),
    trim(),
    nonEmpty(() => t('Give it a name')),
    atMost(most),
  )

export const atMost = (most: number) =>
  maxLength<string, number, () => string>(most, () => t('At most {n} letter | At most {n} letters', { n: most }))
