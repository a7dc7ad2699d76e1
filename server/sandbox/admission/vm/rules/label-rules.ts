import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { whyNoSubdomain } from './dns-names.ts'

/** An error with the API server's message. KubeVirt reuses its validation for pod fields. */
export interface PodFinding {
  field: string
  message: string
}

const finding = (field: string, message: string): PodFinding => ({
  field,
  message: `${field}: ${message}`,
})

export const podFinding = {
  invalid: (field: string, value: string | number, why: string): PodFinding =>
    finding(field, `Invalid value: ${JSON.stringify(value)}: ${why}`),
  required: (field: string, why: string): PodFinding => finding(field, `Required value: ${why}`),
  forbidden: (field: string, why: string): PodFinding => finding(field, `Forbidden: ${why}`),
  unsupported: (field: string, value: string, known: readonly string[]): PodFinding =>
    finding(
      field,
      `Unsupported value: ${JSON.stringify(value)}: supported values: ${known.map((each) => JSON.stringify(each)).join(', ')}`,
    ),
  repeated: (field: string, value: string): PodFinding =>
    finding(field, `Duplicate value: ${JSON.stringify(value)}`),
}

const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** Validates the key of a label. */
export function keyFindings(field: string, key: string): PodFinding[] {
  const [name = '', prefix, ...more] = key.split('/').reverse()
  if (more.length > 0)
    return [
      podFinding.invalid(
        field,
        key,
        'a valid label key must consist of one name and at most one prefix',
      ),
    ]
  const why = [
    ...(prefix === '' ? ['prefix part must be non-empty'] : []),
    ...(prefix === undefined || prefix === ''
      ? []
      : whyNoSubdomain(prefix).map((each) => `prefix part ${each}`)),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(name.length > 63 ? ['name part must be no more than 63 characters'] : []),
    ...(/^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(name) ? [] : [nameForm]),
  ]
  return why.map((each) => podFinding.invalid(field, key, each))
}

/** Validates a label selector. */
export const selectorFindings = (field: string, selector: JsonMap): PodFinding[] => [
  ...Object.keys(read.map(selector.matchLabels)).flatMap((key) =>
    keyFindings(`${field}.matchLabels`, key),
  ),
  ...read
    .maps(selector.matchExpressions)
    .flatMap((each, index) => requirementFindings(`${field}.matchExpressions[${index}]`, each)),
]

type Count = 'some' | 'none' | 'one'

const counts: Readonly<Record<string, Count>> = {
  In: 'some',
  NotIn: 'some',
  Exists: 'none',
  DoesNotExist: 'none',
  Gt: 'one',
  Lt: 'one',
}

const countFindings: Record<Count, (field: string, count: number) => PodFinding[]> = {
  some: (field, count) =>
    count > 0
      ? []
      : [podFinding.required(field, "must be specified when `operator` is 'In' or 'NotIn'")],
  none: (field, count) =>
    count === 0
      ? []
      : [
          podFinding.forbidden(
            field,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        ],
  one: (field, count) =>
    count === 1
      ? []
      : [
          podFinding.required(
            field,
            "must be specified single value when `operator` is 'Lt' or 'Gt'",
          ),
        ],
}

/** Validates one label requirement. Node selectors also allow the operators `Gt` and `Lt`. */
export function requirementFindings(
  field: string,
  { key, operator, values }: JsonMap,
  mayCompare = false,
): PodFinding[] {
  const is = read.text(operator)
  const count = counts[is]
  const isKnown = count !== undefined && (count !== 'one' || mayCompare)
  return [
    ...(isKnown
      ? countFindings[count](`${field}.values`, read.texts(values).length)
      : [podFinding.invalid(`${field}.operator`, is, 'not a valid selector operator')]),
    ...keyFindings(`${field}.key`, read.text(key)),
  ]
}
