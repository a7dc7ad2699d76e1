import * as v from 'valibot'
import { variableOf } from './environment.ts'
import { fileSchemaFor } from './schema.ts'

const fileSchema = fileSchemaFor('sandbox')

type Issue = v.InferIssue<typeof fileSchema>

/**
 * Turns a validation error of berth.yaml into a sentence without its subject. The caller puts the
 * file in front.
 */
export function problemFromIssue(issue: Issue): string {
  const path = v.getDotPath(issue) ?? ''
  if (!path) return 'must hold keys and values, not a bare text'
  if (issue.type === 'strict_object' && issue.expected === 'never') return unknownKey(path)
  if (issue.received === 'undefined') return `${path} is missing`
  return `${path} ${issue.kind === 'schema' && issue.message.startsWith('Invalid') ? wrongType(issue) : issue.message}`
}

function unknownKey(path: string): string {
  const variable = variableOf(path)
  if (variable)
    return `${path} is a secret and has no place in a file; set the environment variable ${variable}`
  const parts = path.split('.')
  const wrong = parts.pop() ?? path
  // valibot treats a list as an object whose keys are its indexes.
  if (/^\d+$/.test(wrong)) return `${parts.join('.')} must hold keys and values, not a list`.trim()
  const known = knownKeys(parts)
  const nearest = known
    .map((key) => ({ key, distance: editDistance(key.toLowerCase(), wrong.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0]
  const hint =
    nearest && nearest.distance <= Math.max(2, wrong.length / 3)
      ? `did you mean ${nearest.key}?`
      : `known here: ${known.join(', ')}`
  return `${path} is not a known key; ${hint}`
}

function wrongType(issue: Issue): string {
  if (issue.type === 'picklist')
    return `must be one of ${issue.expected
      ?.replace(/^\(|\)$/g, '')
      .replaceAll(' | ', ', ')
      .replaceAll('"', '')}, not ${issue.received}`
  const nouns: Readonly<Record<string, string>> = {
    Object: 'a group of keys',
    Array: 'a list',
    string: 'text',
    boolean: 'true or false',
    number: 'a number',
  }
  return `must be ${nouns[issue.expected ?? ''] ?? issue.expected}, not ${nouns[issue.received] ?? issue.received}`
}

function knownKeys(path: readonly string[]): string[] {
  let schema: unknown = fileSchema
  for (const key of path) schema = unwrapped(entriesOf(schema)[key])
  return Object.keys(entriesOf(schema))
}

// valibot's schemas are plain objects: a strict object has `entries`, an optional has `wrapped`.
const entriesOf = (schema: unknown): Record<string, unknown> =>
  (schema as { entries?: Record<string, unknown> } | undefined)?.entries ?? {}
// The same holds for `wrapped`.
const unwrapped = (schema: unknown): unknown =>
  (schema as { wrapped?: unknown } | undefined)?.wrapped ?? schema

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries()) {
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + (left === right ? 0 : 1),
        ),
      )
    }
    row = next
  }
  return row.at(-1) ?? 0
}
