import { expect, test } from 'vitest'
import { notificationOf } from './notification.ts'

const vm = {
  name: 'web-1',
  displayName: 'Web',
  stateSince: '2026-01-01T00:00:00Z',
  deleting: false,
  wantedPower: 'on' as const,
  startRequested: false,
  explanation: null,
}

test.each([
  {
    of: { state: 'Error' },
    id: 'vm-error-web-1',
    level: 'error',
    because: 'a failed VM needs attention',
  },
  {
    of: { state: 'Lost' },
    id: 'vm-error-web-1',
    level: 'error',
    because: 'the older REST API has one state for all errors',
  },
  {
    of: { state: 'Restarting' },
    id: 'vm-trans-web-1-Starting',
    level: 'warning',
    because: 'the VM is starting',
  },
  {
    of: { state: 'Running', deleting: true },
    id: 'vm-trans-web-1-Stopping',
    level: 'warning',
    because: 'deletion was requested',
  },
] as const)('a VM with $of has the notification $id: $because', ({ of, id, level }) => {
  expect(notificationOf({ ...vm, ...of })).toMatchObject({
    id,
    level,
    vmName: 'web-1',
    since: vm.stateSince,
  })
})

test('a notification shows the summary of the explanation', () => {
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
