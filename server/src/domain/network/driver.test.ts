import { expect, test } from 'vitest'
import {
  type DriverChoice,
  type DriverObstacles,
  type NetworkDriver,
  chooseDriver,
  mapDrivers,
  networkDrivers,
} from './driver.ts'
import { textMessage } from '../../engine/model/message.ts'

const lackingAllBut = (...available: readonly string[]): DriverObstacles =>
  mapDrivers((driver) => (available.includes(driver) ? null : textMessage(`${driver} is missing`)))

test.each<[string[], NetworkDriver, string]>([
  [[...networkDrivers], 'ovn-layer2', 'it needs no setup of the nodes'],
  [['kube-ovn', 'bridge-vlan'], 'kube-ovn', 'it needs no setup of the nodes'],
  [['bridge-vlan'], 'bridge-vlan', 'no other driver is available'],
])('auto selects among %j the driver %s, because %s', (...[available, driver]) => {
  expect(chooseDriver('auto', lackingAllBut(...available))).toBe(driver)
})

test.each(networkDrivers)('the choice %s selects that driver when it is available', (driver) => {
  expect(chooseDriver(driver, lackingAllBut(...networkDrivers))).toBe(driver)
  expect(chooseDriver(driver, lackingAllBut(driver))).toBe(driver)
})

test.each<[DriverChoice, string]>([
  ['auto', 'bridge-vlan is missing'],
  ...networkDrivers.map((driver): [DriverChoice, string] => [driver, `${driver} is missing`]),
])('the choice %s is refused with the words: %s', (choice, missing) => {
  const available = choice === 'auto' ? [] : networkDrivers.filter((driver) => driver !== choice)
  const refused = expect.objectContaining({
    code: 'feature_disabled',
    message: expect.stringContaining(missing) as string,
  }) as Error
  expect(() => chooseDriver(choice, lackingAllBut(...available))).toThrow(refused)
})
