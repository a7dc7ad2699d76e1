import {
  number as aNumber,
  integer,
  maxLength,
  maxValue,
  minValue,
  nonEmpty,
  nullable,
  pipe,
  regex,
  string,
  transform,
  trim,
} from 'valibot'
import { number } from '../i18n/number.ts'
import { longestName, slugFromName } from '../format/slug.ts'
import { t } from '../i18n/t.ts'

interface Range {
  least?: number
  most: number
  unit: string
}

const within = ({ least = 1, most, unit }: Range) =>
  pipe(
    aNumber(),
    integer(),
    minValue(least, () =>
      t('At least {least}', { least: least > 1 ? `${number(least)} ${unit}` : least }),
    ),
    maxValue(most, () => t('At most {most}', { most: `${number(most)} ${unit}` })),
  )

/** A whole number, typed as text, in the range that the server accepts. */
export const wholeNumber = (range: Range) =>
  pipe(
    string(),
    trim(),
    regex(/^\d+$/, () => t('A whole number')),
    transform(Number),
    within(range),
  )

/** The same as `wholeNumber`, but an empty field is valid and means null. */
export const optionalWholeNumber = (range: Range) =>
  pipe(
    string(),
    trim(),
    regex(/^\d*$/, () => t('A whole number')),
    transform((text) => (text === '' ? null : Number(text))),
    nullable(within(range)),
  )

/** A name that is not empty and has at most so many characters. */
export const nameField = (most = 63) =>
  pipe(
    string(),
    trim(),
    nonEmpty(() => t('Give it a name')),
    atMost(most),
  )

/** A name for the cluster. Other text that the user types is converted to one. */
export const slugField = (most = longestName) =>
  pipe(
    nameField(most),
    transform((name) => slugFromName(name, most)),
    nonEmpty(() => t('Give it a name')),
  )

export const atMost = (most: number) =>
  maxLength<string, number, () => string>(most, () =>
    t('At most {n} letter | At most {n} letters', { n: most }),
  )
