import { expect, test } from 'vitest'
import { chooseDriver } from './driver.ts'
import { textMessage } from '../../engine/model/message.ts'

const kubeOvnMissing = textMessage('Kube-OVN is missing')
const ovnMissing = textMessage('OVN is missing')
const multusMissing = textMessage('Multus is missing')

const [both, bridge, ovn, none] = [
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
  ['auto', both, 'ovn-layer2', 'it needs nothing of the nodes'],
  ['auto', bridge, 'bridge-vlan', 'there is nothing else'],
  ['auto', ovn, 'ovn-layer2', 'it is there'],
  ['bridge-vlan', both, 'bridge-vlan', 'the operator said so'],
  ['ovn-layer2', both, 'ovn-layer2', 'the operator said so'],
] as const)(
  '%s, where this is lacking: %j, means %s, because %s',
  (...[choice, lacking, driver]) => {
    expect(chooseDriver(choice, lacking)).toBe(driver)
  },
)

test.each([
  ['auto', none, 'Multus'],
  ['ovn-layer2', bridge, 'OVN'],
  ['bridge-vlan', ovn, 'Multus'],
] as const)(
  '%s, where this is lacking: %j, is refused with what is missing',
  (choice, lacking, missing) => {
    const refused = expect.objectContaining({
      code: 'feature_disabled',
      message: expect.stringContaining(missing) as string,
    }) as Error
    expect(() => chooseDriver(choice, lacking)).toThrow(refused)
  },
)
