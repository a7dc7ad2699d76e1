import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type RestExample } from '../../../server/src/engine/rest/document/examples.ts'
import { type WireAnswer } from '../clients/http-client.ts'
import { type FixtureRequest } from './request-fixture.ts'

/*
 * The examples of the OpenAPI document. `rows.test.ts` records them from the requests that it sends
 * and the answers that it gets. A recorded example stays as it is until it no longer fits, so that
 * a change of one route changes one example.
 */
const file = join(import.meta.dirname, '..', '..', '..', 'schema', 'rest-examples.json')

/** True when the tests write the examples instead of comparing them. */
export const isRecording = process.env['BERTH_TEST_RECORD'] === '1'

// This program has written the file.
const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, RestExample>

export const committedExample = (row: string): RestExample | undefined => examples[row]

/** Replaces the example of a route. The file is written at the end, by `writeExamples`. */
export function record(row: string, request: FixtureRequest, answer: WireAnswer): void {
  const { path, body } = request
  const full = path.startsWith('/api/') ? path : `/api/v1${path}`
  const response = answer.body ?? (answer.text === '' ? undefined : shortened(answer.text))
  examples[row] = plain({ path: full, request: body, response })
}

/** Writes the examples in the order of the routes, without those of routes that are gone. */
export function writeExamples(): void {
  const rows = restRoutes.flatMap(({ method, path }) => {
    const example = examples[`${method} ${path}`]
    return example ? [[`${method} ${path}`, example]] : []
  })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
}

const shortened = (text: string): string => text.split('\n').slice(0, 4).join('\n')

/** Replaces what differs from run to run, and everything secret, and cuts lists short. */
function plain(example: RestExample): RestExample {
  const text = JSON.stringify(example, (key, value: unknown) => withoutSecret(key, cut(value)))
  // The replaced texts have no characters that JSON escapes, so the value remains an example.
  return JSON.parse(
    [...replaced].reduce(
      (changed, [pattern, nameOf]) => changed.replaceAll(pattern, numbered(nameOf)),
      text,
    ),
  ) as RestExample
}

/** A list of objects needs one element, and a list of texts two, to show what it contains. */
function cut(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.slice(0, typeof value[0] === 'object' ? 1 : 2)
}

/** Returns a replacement that numbers the texts; the names of the tests by their first words. */
function numbered(nameOf: Naming): (text: string, group: string | number) => string {
  const numbers = new Map<string, string[]>()
  return (text, group) => {
    // A pattern without a group gives the position of the text instead.
    const stem = typeof group === 'string' ? group : ''
    const known = numbers.get(stem) ?? []
    if (!known.includes(text)) known.push(text)
    numbers.set(stem, known)
    return nameOf(known.indexOf(text) + 1, stem)
  }
}

type Naming = (number: number, stem: string) => string

const replaced = new Map<RegExp, Naming>([
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (number) => id(number)],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, () => '2026-01-31T12:00:00.000Z'],
  // The names of the tests end in random digits.
  [/([a-z-]*)-[0-9a-f]{10}\b/g, (number, stem) => `${stem}-${number}`],
  [/\bhttps?:\/\/127\.0\.0\.1:\d+/g, () => 'https://images.example'],
  [/\bsecret=[A-Z2-7]+/g, () => 'secret=<secret>'],
  [/\b(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}\b/g, (number) => `<recovery code ${number}>`],
])

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function withoutSecret(key: string, value: unknown): unknown {
  // A code of a second factor has six digits. Refusals have codes, too.
  if (key === 'code') return String(value).replace(/^\d{6}$/, '123456')
  return typeof value === 'string' ? (secrets[key] ?? value) : value
}

const secrets: Readonly<Record<string, string>> = {
  password: 'a long password',
  admin_password: 'a long password',
  current_password: 'the old password',
  new_password: 'a new password',
  token: '<token>',
  private_key_pem: '<private key>',
  secret: '<secret>',
  ticket: '<ticket>',
}
