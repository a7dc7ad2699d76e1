import { expect, test } from 'vitest'
import { seenHostSize } from './node.ts'

const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
const node = ({
  labels = { 'kubevirt.io/schedulable': 'true' },
  spec = {},
  status = {},
}: {
  labels?: Record<string, string>
  spec?: object
  status?: object
}) => ({
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', labels },
  spec,
  status: { allocatable: { cpu: '7910m', memory: '32873064Ki' }, ...ready, ...status },
})
const taint = (effect: string) => ({ taints: [{ key: 'a', effect }] })

test.each([
  { is: node({}), isReady: true, isOpen: true, because: 'nothing is in the way' },
  {
    is: node({ spec: { unschedulable: true } }),
    isReady: true,
    isOpen: false,
    because: 'an operator has closed it',
  },
  {
    is: node({ labels: {} }),
    isReady: true,
    isOpen: false,
    because: 'KubeVirt runs nothing there',
  },
  {
    is: node({ labels: { 'kubevirt.io/schedulable': 'false' } }),
    isReady: true,
    isOpen: false,
    because: 'KubeVirt has lost it',
  },
  {
    is: node({ spec: taint('NoSchedule') }),
    isReady: true,
    isOpen: false,
    because: 'it is kept for others, as those of the control plane are',
  },
  {
    is: node({ spec: taint('NoExecute') }),
    isReady: true,
    isOpen: false,
    because: 'even what runs has to go',
  },
  {
    is: node({ spec: taint('PreferNoSchedule') }),
    isReady: true,
    isOpen: true,
    because: 'that is no more than a wish',
  },
  {
    is: node({ status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }),
    isReady: false,
    isOpen: true,
    because: 'it is lost',
  },
  {
    is: node({ status: { conditions: [] } }),
    isReady: false,
    isOpen: true,
    because: 'it has said nothing yet',
  },
])('a host is ready: $isReady, open: $isOpen, because $because', ({ is, isReady, isOpen }) => {
  expect(seenHostSize(is)).toEqual({ isReady, isOpen, cores: 7.91, memoryMi: 32_102 })
})

test('a host that does not say what it has counts as one that has nothing', () => {
  expect(seenHostSize(node({ status: { allocatable: {} } }))).toMatchObject({
    cores: 0,
    memoryMi: 0,
  })
})
