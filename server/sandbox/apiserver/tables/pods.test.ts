import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { podSummary } from './pods.ts'

const running = { state: { running: {} }, ready: true, restartCount: 0 }
const done = {
  state: { terminated: { exitCode: 0, reason: 'Completed' } },
  ready: false,
  restartCount: 0,
}

const pod = ({
  spec = {},
  status = {},
  deleted = false,
}: {
  spec?: JsonMap
  status?: JsonMap
  deleted?: boolean
}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
  spec: { containers: [{ name: 'a' }], ...spec },
  status: { phase: 'Running', ...status },
})

const sidecar = { initContainers: [{ name: 'log', restartPolicy: 'Always' }] }
const twoInits = { initContainers: [{ name: 'i' }, { name: 'j' }] }

test.each([
  {
    because: 'no container has a state',
    of: { status: { phase: 'Pending' } },
    ready: '0/1',
    status: 'Pending',
  },
  {
    because: 'a container runs',
    of: { status: { containerStatuses: [{ name: 'a', ...running }] } },
    ready: '1/1',
    status: 'Running',
  },
  {
    because: 'a sidecar counts like a container',
    of: {
      spec: sidecar,
      status: {
        initContainerStatuses: [{ name: 'log', started: true, ...running }],
        containerStatuses: [{ name: 'a', ...running }],
      },
    },
    ready: '2/2',
    status: 'Running',
  },
  {
    because: 'one of two init containers has finished',
    of: {
      spec: twoInits,
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i', ...done },
          { name: 'j', state: { running: {} } },
        ],
      },
    },
    ready: '0/1',
    status: 'Init:1/2',
  },
  {
    because: 'an init container failed',
    of: {
      spec: twoInits,
      status: { initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 3 } } }] },
    },
    ready: '0/1',
    status: 'Init:ExitCode:3',
  },
  {
    because: 'a container waits with a reason',
    of: {
      status: {
        phase: 'Pending',
        containerStatuses: [{ name: 'a', state: { waiting: { reason: 'ImagePullBackOff' } } }],
      },
    },
    ready: '0/1',
    status: 'ImagePullBackOff',
  },
  { because: 'it is terminating', of: { deleted: true }, ready: '0/1', status: 'Terminating' },
  {
    because: 'it has finished and is deleted',
    of: {
      deleted: true,
      status: { phase: 'Succeeded', containerStatuses: [{ name: 'a', ...done }] },
    },
    ready: '0/1',
    status: 'Completed',
  },
])('a pod shows $status $ready when $because', ({ of, ready, status }) => {
  expect(podSummary(pod(of))).toMatchObject({ ready, status })
})

test('the restart column shows the time of the last restart', () => {
  const finishedAt = new Date(clock.nowMs() - 300_000).toISOString()
  const status = {
    containerStatuses: [
      { ...running, name: 'a', restartCount: 2, lastState: { terminated: { finishedAt } } },
    ],
  }
  expect(podSummary(pod({ status })).restarts).toMatch(/^2 \(5m\d?s? ago\)$/)
})
