import { type NetworkSettings } from '../../../server/src/domain/network/network-settings.ts'

/** Network settings of an installation, for tests that are not about networks. */
export const plainNetworking: NetworkSettings = {
  reserved: [],
  addressRestSeconds: 0,
  joinsDefaultNetwork: false,
  publicNetwork: null,
  publicNetworkState: () => ({ state: 'active', stateReason: null }),
  supportsFilters: () => false,
  egressBounds: () => null,
  nicHotplugObstacles: () => null,
  chooseDriver: () => 'bridge-vlan',
}
