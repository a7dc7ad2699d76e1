/*
 * Types of unquoted scalars in the YAML reader of Kubernetes: YAML 1.1 as the Go library reads it.
 * Sexagesimal numbers and times are not supported. Octal numbers are supported in the old and the
 * new form.
 */
type Scalar = string | number | boolean | null

const constants: ReadonlyMap<string, Scalar> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((constant): [string, Scalar] => [constant, null]),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (constant): [string, Scalar] => [constant, true],
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (constant): [string, Scalar] => [constant, false],
  ),
  ...['.nan', '.NaN', '.NAN'].map((constant): [string, Scalar] => [constant, Number.NaN]),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((constant): [string, Scalar] => [
    constant,
    Number.POSITIVE_INFINITY,
  ]),
  ...['-.inf', '-.Inf', '-.INF'].map((constant): [string, Scalar] => [
    constant,
    Number.NEGATIVE_INFINITY,
  ]),
])

export function plainScalar(text: string): Scalar {
  const constant = constants.get(text)
  if (constant !== undefined) return constant
  return /^[-+.\d]/.test(text) ? (numberOf(text.replaceAll('_', '')) ?? text) : text
}

const integer = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/
const float = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/

function numberOf(text: string): number | null {
  const [, sign, digits] = integer.exec(text) ?? []
  if (digits !== undefined)
    return (sign === '-' ? -1 : 1) * Number(digits.replace(/^0(?=\d)/, '0o'))
  if (!float.test(text)) return null
  const number = Number(text)
  // A number beyond the float range stays a string.
  return Number.isFinite(number) ? number : null
}
