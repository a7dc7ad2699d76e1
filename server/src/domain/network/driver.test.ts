import { expect, test } from 'vitest'
import { chooseDriver } from './driver.ts'
import { textMessage } from '../../engine/model/message.ts'

const kubeOvnMissing = textMessage('Kube-OVN is missing')
const ovnMissing = textMessage('OVN is missing')
const multusMissing = textMessage('Multus is missing')

const [both, bridge, ovn, neither] = [
  { 'bridge-vlan': null, 'ovn-layer2': null, 'kube-ovn': kubeOvnMissing },
  { 'bridge-vlan': null, 'ovn-layer2': ovnMissing, 'kube-ovn': kubeOvnMissing },
  { 'bridge-vlan': multusMissing, 'ovn-layer2': null, 'kube-ovn': kubeOvnMissing },
  {
    'bridge-vlan': multusMissing,
    'ovn-layer2': ovnMissing,
    'kube-ovn': kubeOvnMissing,
  },
]

test.each([
  ['auto', both, 'ovn-layer2', 'it needs no setup of the nodes'],
  ['auto', bridge, 'bridge-vlan', 'no other driver is available'],
  ['auto', ovn, 'ovn-layer2', 'it is available'],
  ['bridge-vlan', both, 'bridge-vlan', 'the operator chose it'],
  ['ovn-layer2', both, 'ovn-layer2', 'the operator chose it'],
] as const)(
  'the choice %s with obstacles %j selects %s, because %s',
  (...[choice, lacking, driver]) => {
    expect(chooseDriver(choice, lacking)).toBe(driver)
  },
)

test.each([
  ['auto', neither, 'Multus'],
  ['ovn-layer2', bridge, 'OVN'],
  ['bridge-vlan', ovn, 'Multus'],
] as const)(
  'the refusal of the choice %s with obstacles %j names %s',
  (choice, lacking, missing) => {
    const refused = expect.objectContaining({
      code: 'feature_disabled',
      message: expect.stringContaining(missing) as string,
    }) as Error
    expect(() => chooseDriver(choice, lacking)).toThrow(refused)
  },
)
