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
  { at: '2026-11-21T12:00:04Z', text: 'just now', because: 'the server may be seconds ahead' },
  { at: '2026-11-21T11:59:40Z', text: '20 seconds ago', because: 'seconds are shown' },
  {
    at: '2026-11-21T11:01:00Z',
    text: '59 minutes ago',
    because: 'a unit is used only when it is full',
  },
  { at: '2026-11-20T12:00:00Z', text: '1 day ago', because: '24 hours are one day' },
  { at: '2026-12-01T12:00:00Z', text: 'in 10 days', because: 'API keys expire in the future' },
])('the time $at reads "$text": $because', ({ at, text }) =>
  expect(relativeTime(at, nowMs)).toBe(text),
)

test.each([
  [-5, '0 ms'],
  [850, '850 ms'],
  [12_400, '12 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [5_400_000, '1 h 30 min'],
])('a duration of %d ms is formatted as %s', (ms, text) => expect(duration(ms)).toBe(text))

test.each([
  [512, '512 MiB'],
  [1024, '1 GiB'],
  [1536, '1.5 GiB'],
  [16384, '16 GiB'],
])('a memory size of %d MiB is formatted as %s', (mi, text) => expect(memory(mi)).toBe(text))

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
])('the return path %s leads to %s after login', (returnTo, path) =>
  expect(safeReturnTo(returnTo)).toBe(path),
)

test('a generated password has four groups of six letters and no look-alikes', () => {
  expect(generatePassword()).toMatch(/^[^-]{6}(-[^-]{6}){3}$/)
  for (let tries = 0; tries < 200; tries += 1) expect(generatePassword()).not.toMatch(/[0O1lI]/)
})

test('a password draws bytes past the last whole multiple again, so that no letter is likelier', () => {
  let draws = 0
  const password = generatePassword((bytes) => bytes.fill(draws++ === 0 ? 255 : 0))
  expect(password).toBe('aaaaaa-aaaaaa-aaaaaa-aaaaaa')
})

test('permissions are grouped by noun, with read before write before the rest', () => {
  const groups = groupPermissions([
    'vms:user_data',
    'vms:console',
    'vms:write',
    'vms:read',
    '*',
    '*:read',
    'ssh_keys:read',
    'vms:read',
  ])
  expect(groups.map((group) => [group.label, group.verbs.map((verb) => verb.label)])).toEqual([
    ['VMs', ['read', 'write', 'user data', 'console']],
    ['SSH keys', ['read']],
  ])
})

test('an operation has a title, a progress and a current step', () => {
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
    because: 'the first quarter took a minute',
  },
  {
    progress: 100,
    startedAt: '2026-11-21T11:59:00Z',
    leftMs: 0,
    because: 'all of it is done',
  },
  {
    progress: 50,
    startedAt: '2026-11-21T12:00:03Z',
    leftMs: 0,
    because: 'the server may be seconds ahead',
  },
  {
    progress: 0,
    startedAt: '2026-11-21T11:59:00Z',
    leftMs: null,
    because: 'there is no progress yet',
  },
  {
    progress: null,
    startedAt: '2026-11-21T11:59:00Z',
    leftMs: null,
    because: 'steps have no known duration',
  },
  { progress: 25, startedAt: null, leftMs: null, because: 'the operation has not started' },
])('an operation at $progress % takes $leftMs ms more: $because', ({ leftMs, ...pace }) => {
  expect(timeLeft({ state: 'running', ...pace }, nowMs)).toBe(leftMs)
  expect(timeLeft({ state: 'failed', ...pace }, nowMs)).toBeNull()
})

test.each([
  ['root', 'RO'],
  ['maria.lind', 'ML'],
  ['j.okafor', 'JO'],
  ['', ''],
])('the initials of “%s” are “%s”', (name, letters) => expect(initialsOf(name)).toBe(letters))

test.each([
  [0, '0 B'],
  [655_360, '640 KiB'],
  [1_610_612_736, '1.5 GiB'],
  [123 * 1024 ** 2, '123 MiB'],
])('a size of %d bytes is formatted as %s', (count, text) => expect(bytes(count)).toBe(text))
