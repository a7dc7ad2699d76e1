import { checkedName } from '../../engine/kube/refs.ts'
import { type DesiredEndpointSlice, type DesiredService } from '../desired/service.ts'
import { type Content, optionalField } from '../../engine/kube/content/manifest.ts'

/**
 * The service has no selector: pods of a VM have no stable name, and the VMI reports the address.
 */
export const serviceContent = ({ portName, port, nodePort }: DesiredService): Content => ({
  spec: {
    type: 'NodePort',
    ports: [
      {
        name: portName,
        protocol: 'TCP',
        port,
        targetPort: port,
        ...optionalField('nodePort', nodePort),
      },
    ],
  },
})

export const endpointSliceContent = ({
  portName,
  port,
  address,
}: DesiredEndpointSlice): Content => ({
  addressType: address.includes(':') ? 'IPv6' : 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: portName, protocol: 'TCP', port }],
})

/**
 * The first label connects the slice to its service. The second keeps Kubernetes' own controllers
 * away from it.
 */
export const endpointSliceLabels = ({
  service,
}: DesiredEndpointSlice): Readonly<Record<string, string>> => ({
  'kubernetes.io/service-name': checkedName(service),
  'endpointslice.kubernetes.io/managed-by': 'berth',
})
