import { type DesiredHostBridge } from '../desired/network.ts'
import { type Content } from '../../engine/kube/content/manifest.ts'

/**
 * A bridge on each node with the uplink as its port. The node has no address on it, because it
 * serves VMs.
 */
export const hostBridgeContent = ({ bridge, uplink, mtu }: DesiredHostBridge): Content => ({
  spec: {
    desiredState: {
      interfaces: [
        {
          name: bridge,
          type: 'linux-bridge',
          state: 'up',
          mtu,
          ipv4: { enabled: false },
          ipv6: { enabled: false },
          bridge: { options: { stp: { enabled: false } }, port: [{ name: uplink }] },
        },
      ],
    },
  },
})
