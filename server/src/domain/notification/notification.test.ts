import { expect, test } from 'vitest'
import { notificationOf } from './notification.ts'

const vm = {
  name: 'web-1',
  displayName: 'Web',
  stateSince: '2026-01-01T00:00:00Z',
  deleting: false,
  explanation: null,
}

test.each([
  { of: { state: 'Error' }, id: 'vm-error-web-1', level: 'error', because: 'it needs somebody' },
  {
    of: { state: 'Lost' },
    id: 'vm-error-web-1',
    level: 'error',
    because: 'the wire has one word for all that is wrong',
  },
  {
    of: { state: 'Restarting' },
    id: 'vm-trans-web-1-Starting',
    level: 'warning',
    because: 'it is on its way up',
  },
  {
    of: { state: 'Running', deleting: true },
    id: 'vm-trans-web-1-Stopping',
    level: 'warning',
    because: 'its end was asked for',
  },
] as const)('$of is told as $id: $because', ({ of, id, level }) => {
  expect(notificationOf({ ...vm, ...of })).toMatchObject({
    id,
    level,
    vmName: 'web-1',
    since: vm.stateSince,
  })
})

test('what explains the state is what is told', () => {
  const explanation = {
    code: 'image_pull_failed',
    summary: 'The image cannot be pulled.',
    since: null,
    cause: '',
    nextStep: '',
    whoCanFix: 'you',
  } as never
  expect(notificationOf({ ...vm, state: 'Error', explanation }).message).toBe(
    'The image cannot be pulled.',
  )
})
