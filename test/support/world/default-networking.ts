import { type Networking } from '../../../server/src/domain/network/networking.ts'

/** What an installation has settled about networks of which a test is not. */
export const plainNetworking: Networking = {
  reserved: [],
  addressRestSeconds: 0,
  publicNetwork: null,
  publicNetworkState: () => ({ state: 'active', stateReason: null }),
  takesFilters: () => false,
  nicHindrances: () => null,
  chooseDriver: () => 'bridge-vlan',
}
