import { checkedName } from '../../engine/kube/refs.ts'
import { type WantedEndpointSlice, type WantedService } from '../desired/service.ts'
import { type Content, maybe } from '../../engine/kube/manifest.ts'

/**
 * It selects nobody: a run of a VM has no pod of a name that lasts, and the address is known from
 * the run itself.
 */
export const serviceContent = ({ portName, port, nodePort }: WantedService): Content => ({
  spec: {
    type: 'NodePort',
    ports: [
      { name: portName, protocol: 'TCP', port, targetPort: port, ...maybe('nodePort', nodePort) },
    ],
  },
})

export const endpointSliceContent = ({
  portName,
  port,
  address,
}: WantedEndpointSlice): Content => ({
  addressType: address.includes(':') ? 'IPv6' : 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: portName, protocol: 'TCP', port }],
})

/** By the first the cluster finds it, by the second its own controllers let it be. */
export const endpointSliceLabels = ({
  service,
}: WantedEndpointSlice): Readonly<Record<string, string>> => ({
  'kubernetes.io/service-name': checkedName(service),
  'endpointslice.kubernetes.io/managed-by': 'berth',
})
