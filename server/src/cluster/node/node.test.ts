import { expect, test } from 'vitest'
import { observedNodeSize } from './node.ts'

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
  { is: node({}), isReady: true, isOpen: true, because: 'nothing restricts it' },
  {
    is: node({ spec: { unschedulable: true } }),
    isReady: true,
    isOpen: false,
    because: 'an operator has cordoned it',
  },
  {
    is: node({ labels: {} }),
    isReady: true,
    isOpen: false,
    because: 'it lacks the label of KubeVirt',
  },
  {
    is: node({ labels: { 'kubevirt.io/schedulable': 'false' } }),
    isReady: true,
    isOpen: false,
    because: 'KubeVirt marks it as unschedulable',
  },
  {
    is: node({ spec: taint('NoSchedule') }),
    isReady: true,
    isOpen: false,
    because: 'a NoSchedule taint reserves it, as on the control plane',
  },
  {
    is: node({ spec: taint('NoExecute') }),
    isReady: true,
    isOpen: false,
    because: 'a NoExecute taint evicts its pods',
  },
  {
    is: node({ spec: taint('PreferNoSchedule') }),
    isReady: true,
    isOpen: true,
    because: 'a PreferNoSchedule taint is only a preference',
  },
  {
    is: node({ status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }),
    isReady: false,
    isOpen: true,
    because: 'its Ready condition is Unknown',
  },
  {
    is: node({ status: { conditions: [] } }),
    isReady: false,
    isOpen: true,
    because: 'it reports no conditions yet',
  },
])(
  'a node is ready: $isReady and schedulable: $isOpen when $because',
  ({ is, isReady, isOpen }) => {
    expect(observedNodeSize(is)).toEqual({ isReady, isOpen, cores: 7.91, memoryMi: 32_102 })
  },
)

test('a node that reports no allocatable resources counts as having none', () => {
  expect(observedNodeSize(node({ status: { allocatable: {} } }))).toMatchObject({
    cores: 0,
    memoryMi: 0,
  })
})
