import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'
import { currentStep, operationProgress, operationTitle } from './operation.ts'
import { generatePassword } from './password.ts'
import { groupPermissions } from './permission.ts'
import { safeReturnTo } from './return-to.ts'
import { bytes, memory } from './size.ts'
import { slugFromName } from './slug.ts'
import { timeLeft } from './time-left.ts'
import { duration, relativeTime } from './time.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

test.each([
  { at: '2026-11-21T12:00:04Z', words: 'just now', because: 'the server may be seconds ahead' },
  { at: '2026-11-21T11:59:40Z', words: '20 seconds ago', because: 'a list shows how fresh it is' },
  {
    at: '2026-11-21T11:01:00Z',
    words: '59 minutes ago',
    because: 'a unit is full before it is named',
  },
  { at: '2026-11-20T12:00:00Z', words: '1 day ago', because: 'a whole day is a day' },
  { at: '2026-12-01T12:00:00Z', words: 'in 10 days', because: 'keys end in the future' },
])('$at reads "$words": $because', ({ at, words }) => expect(relativeTime(at, nowMs)).toBe(words))

test.each([
  [-5, '0 ms'],
  [850, '850 ms'],
  [12_400, '12 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [5_400_000, '1 h 30 min'],
])('%d ms took %s', (ms, words) => expect(duration(ms)).toBe(words))

test.each([
  [512, '512 MiB'],
  [1024, '1 GiB'],
  [1536, '1.5 GiB'],
  [16384, '16 GiB'],
])('%d MiB is %s', (mi, words) => expect(memory(mi)).toBe(words))

test.each([
  ['Öresund Ferry & Co', 'oresund-ferry-co'],
  ['  --Acme--  ', 'acme'],
  ['日本', ''],
  ['a'.repeat(39) + ' b', 'a'.repeat(39)],
])('the name %s suggests the slug %s', (name, slug) => expect(slugFromName(name)).toBe(slug))

test.each([
  ['/tenants?search=a', '/tenants?search=a'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['/login?returnTo=/x', '/'],
  [undefined, '/'],
])('after the login %s leads to %s', (given, path) => expect(safeReturnTo(given)).toBe(path))

test('a generated password has four groups of six and leaves out what looks alike', () => {
  expect(generatePassword()).toMatch(/^[^-]{6}(-[^-]{6}){3}$/)
  for (let tries = 0; tries < 200; tries += 1) expect(generatePassword()).not.toMatch(/[0O1lI]/)
})

test('bytes past the last whole multiple are drawn again, so that no letter is likelier', () => {
  let draws = 0
  const password = generatePassword((bytes) => bytes.fill(draws++ === 0 ? 255 : 0))
  expect(password).toBe('aaaaaa-aaaaaa-aaaaaa-aaaaaa')
})

test('permissions stand by noun, read before write before the rest', () => {
  const groups = groupPermissions([
    'vms:console',
    'vms:write',
    'vms:read',
    '*',
    '*:read',
    'ssh_keys:read',
    'vms:read',
  ])
  expect(groups.map((group) => [group.label, group.verbs.map((verb) => verb.label)])).toEqual([
    ['VMs', ['read', 'write', 'console']],
    ['SSH keys', ['read']],
  ])
})

test('an operation says what it is, how far it is and where it stands', () => {
  const steps = [
    { state: 'done', name: 'one', title: 'one' },
    { state: 'running', name: 'two', title: 'two' },
    { state: 'pending', name: 'three', title: 'three' },
    { state: 'skipped', name: 'four', title: 'four' },
  ]
  expect(operationTitle('deploy_vm')).toBe('Deploy VM')
  expect(operationProgress({ state: 'running', progress: null, steps })).toBe(50)
  expect(operationProgress({ state: 'running', progress: 7, steps })).toBe(7)
  expect(operationProgress({ state: 'running', progress: null, steps: [] })).toBeNull()
  expect(operationProgress({ state: 'succeeded', progress: 7, steps })).toBe(100)
  expect(currentStep({ steps })).toBe('two')
})

test.each([
  {
    progress: 25,
    startedAt: '2026-11-21T11:59:00Z',
    leftMs: 180_000,
    because: 'a quarter took a minute',
  },
  {
    progress: 100,
    startedAt: '2026-11-21T11:59:00Z',
    leftMs: 0,
    because: 'only its end is missing',
  },
  {
    progress: 50,
    startedAt: '2026-11-21T12:00:03Z',
    leftMs: 0,
    because: 'the server may be seconds ahead',
  },
  { progress: 0, startedAt: '2026-11-21T11:59:00Z', leftMs: null, because: 'nothing has come yet' },
  {
    progress: null,
    startedAt: '2026-11-21T11:59:00Z',
    leftMs: null,
    because: 'steps tell nothing about time',
  },
  { progress: 25, startedAt: null, leftMs: null, because: 'it has not begun' },
])('what is at $progress % takes $leftMs ms more: $because', ({ leftMs, ...pace }) => {
  expect(timeLeft({ state: 'running', ...pace }, nowMs)).toBe(leftMs)
  expect(timeLeft({ state: 'failed', ...pace }, nowMs)).toBeNull()
})

test.each([
  ['root', 'RO'],
  ['maria.lind', 'ML'],
  ['j.okafor', 'JO'],
  ['', ''],
])('%s is known as %s', (name, letters) => expect(initialsOf(name)).toBe(letters))

test.each([
  [0, '0 B'],
  [655_360, '640 KiB'],
  [1_610_612_736, '1.5 GiB'],
  [123 * 1024 ** 2, '123 MiB'],
])('%d bytes are %s', (count, words) => expect(bytes(count)).toBe(words))
