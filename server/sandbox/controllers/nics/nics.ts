import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/* Readers of the NICs in the spec and status of VMIs. */

export const interfacesOf = ({ spec }: KubeObject): JsonMap[] =>
  read.maps(read.at(spec, 'domain', 'devices', 'interfaces'))
export const networksOf = ({ spec }: KubeObject): JsonMap[] => read.maps(read.map(spec).networks)
export const nicStatusesOf = ({ status }: KubeObject): JsonMap[] =>
  read.maps(read.map(status).interfaces)

/** All networks except the pod's primary one. */
export const secondaryNetworksOf = (vmi: KubeObject): JsonMap[] =>
  networksOf(vmi).filter(
    ({ multus }) => multus !== undefined && read.at(multus, 'default') !== true,
  )
