import { expect, test } from 'vitest'
import { failureFromOutput } from './embedded-failure.ts'

const cases = [
  {
    reason: 'no_space',
    output:
      'running bootstrap script ... FATAL:  could not extend file "base/1/2691": No space left on device\nPANIC:  cannot abort transaction 1',
  },
  {
    reason: 'no_space',
    output:
      'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.',
  },
  {
    reason: 'locked',
    output:
      'FATAL:  lock file "postmaster.pid" already exists\nHINT:  Is another postmaster (PID 7) running?',
  },
  {
    reason: 'locked',
    output: 'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use',
  },
  {
    reason: 'not_writable',
    output: 'initdb: error: could not create directory "/x": Read-only file system',
  },
  { reason: 'failed', output: 'FATAL:  database files are incompatible with server' },
] as const

test.for(cases)('failureFromOutput returns $reason for $output', ({ output, reason }) => {
  expect(failureFromOutput('It', output).reason).toBe(reason)
})

test('failureFromOutput reports the first error and not a later one', () => {
  expect(failureFromOutput('PostgreSQL could not start', cases[0].output).message).toMatch(
    /^PostgreSQL could not start: could not extend file/,
  )
})
