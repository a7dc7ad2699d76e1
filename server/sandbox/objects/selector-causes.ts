import { type Cause, causes, problems } from './cause.ts'
import { formats } from './formats.ts'
import { read } from './read.ts'
import { type Json, type JsonMap } from './types.ts'

/** Validates labels: each key, then its value. */
export const labelCauses = (field: string, labels: JsonMap): Cause[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...problems(field, key, formats.qualifiedName(key)),
    ...problems(field, value, formats.labelValue(String(value))),
  ])

/** Validates a label selector. */
export const selectorCauses = (field: string, selector: Json | undefined): Cause[] => [
  ...labelCauses(`${field}.matchLabels`, read.map(read.at(selector, 'matchLabels'))),
  ...read
    .maps(read.at(selector, 'matchExpressions'))
    .flatMap((each, index) => requirementCauses(`${field}.matchExpressions[${index}]`, each)),
]

function requirementCauses(field: string, { key, operator, values }: JsonMap): Cause[] {
  const all = read.texts(values)
  return [
    ...operatorCauses(field, read.text(operator), all.length),
    ...problems(`${field}.key`, key, formats.qualifiedName(read.text(key))),
    ...all.flatMap((value, index) =>
      problems(`${field}.values[${index}]`, value, formats.labelValue(value)),
    ),
  ]
}

function operatorCauses(field: string, operator: string, count: number): Cause[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? []
        : [
            causes.required(
              `${field}.values`,
              "must be specified when `operator` is 'In' or 'NotIn'",
            ),
          ]
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [
            causes.forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ]
    default:
      return [causes.invalid(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}
