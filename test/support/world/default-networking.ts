import { type Networking } from '../../../server/src/domain/network/networking.ts'

/** Network settings of an installation, for tests that are not about networks. */
export const plainNetworking: Networking = {
  reserved: [],
  addressRestSeconds: 0,
  publicNetwork: null,
  publicNetworkState: () => ({ state: 'active', stateReason: null }),
  takesFilters: () => false,
  nicHindrances: () => null,
  chooseDriver: () => 'bridge-vlan',
}
