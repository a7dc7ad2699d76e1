import { expect, test } from 'vitest'
import { type DesiredNetwork } from '../../../server/src/cluster/desired/network.ts'
import { networkDrivers, traitsOf } from '../../../server/src/domain/network/driver.ts'
import { configReference } from '../../../server/src/runtime/config/reference.ts'
import { driverLabel } from '../../../web/src/components/network/driver-label.ts'
import { id, sent, desiredObjectsOf } from '../../support/cluster/desired-manifests.ts'
import { fc } from '../../support/property-testing.ts'
import networksAsWritten from '../golden/networks.json' with { type: 'json' }

/* The files that a driver needs besides its row in the table of drivers. */

/** A network of the golden file, `net-b` of the namespace `vpc-a`. */
interface WrittenNetwork {
  desired: DesiredNetwork
  config: string
}
// Each row of the file has the shape of the type.
const written = networksAsWritten as readonly WrittenNetwork[]

/** Finds the golden network of the same driver, which has a tag when this one has. */
const writtenLike = ({ driver, tagged }: DesiredNetwork): WrittenNetwork | undefined =>
  written.find(
    ({ desired }) =>
      desired.driver === driver &&
      ((desired.tagged?.segment ?? null) === null) === ((tagged?.segment ?? null) === null),
  )

test.each(written)(
  'the manifest of a $desired.driver network matches its golden file',
  ({ desired: spec, config }) => {
    const ids = { tenantId: id, rowId: id, uid: null }
    expect(sent({ noun: 'network', namespace: 'vpc-a', name: 'net-b', ...ids, spec })).toEqual({
      spec: { config },
    })
  },
)

test('the config of a network varies with its names, MTU, bridge and tag only', () => {
  fc.assert(
    fc.property(desiredObjectsOf('network'), (desired) => {
      const { mtu, tagged } = desired.spec
      const sample = writtenLike(desired.spec)
      const values: Record<string, string | undefined> = {
        'net-b': desired.name,
        'vpc-a': desired.namespace ?? '',
        [`"mtu":${sample?.desired.mtu}`]: `"mtu":${mtu}`,
        [`"${sample?.desired.tagged?.bridge}"`]: `"${tagged?.bridge}"`,
        [`:${sample?.desired.tagged?.segment},`]: `:${tagged?.segment},`,
      }
      const varying = new RegExp(Object.keys(values).join('|'), 'g')
      expect(sent(desired).spec.config).toBe(
        sample?.config.replace(varying, (text) => values[text] ?? ''),
      )
    }),
  )
})

test.each(networkDrivers)('the golden file has a network of the driver %s', (driver) => {
  const tagged = traitsOf(driver).isTagged ? { bridge: 'br-berth', segment: 1 } : null
  expect(writtenLike({ driver, mtu: 1500, tagged })).toBeDefined()
})

test.each(networkDrivers)('the operator can choose the driver %s', (driver) => {
  const [row] = configReference().match(/^\| `network\.driver` \|.*$/m) ?? []
  expect(row?.split('|')[2]).toContain(`\`${driver}\``)
})

test.each(networkDrivers)('the console has a label for the driver %s', (driver) => {
  expect(driverLabel(driver)).not.toBe(driver)
})
