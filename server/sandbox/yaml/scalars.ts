/*
 * What an unquoted word means to the YAML reader of Kubernetes: YAML 1.1 as Go's library reads it.
 * Of its types sexagesimal numbers and times are not known; octal is known in the old form and in
 * the new one.
 */
type Scalar = string | number | boolean | null

const words: ReadonlyMap<string, Scalar> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, Scalar] => [word, null]),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word): [string, Scalar] => [word, true],
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word): [string, Scalar] => [word, false],
  ),
  ...['.nan', '.NaN', '.NAN'].map((word): [string, Scalar] => [word, Number.NaN]),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word): [string, Scalar] => [
    word,
    Number.POSITIVE_INFINITY,
  ]),
  ...['-.inf', '-.Inf', '-.INF'].map((word): [string, Scalar] => [word, Number.NEGATIVE_INFINITY]),
])

export function plainScalar(text: string): Scalar {
  const word = words.get(text)
  if (word !== undefined) return word
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
  // What is too large for a float stays a word.
  return Number.isFinite(number) ? number : null
}
