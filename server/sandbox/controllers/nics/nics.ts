import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/* How NICs of machines are read, in the spec of an instance and in its status. */

export const interfacesOf = ({ spec }: KubeObject): JsonMap[] =>
  read.maps(read.at(spec, 'domain', 'devices', 'interfaces'))
export const networksOf = ({ spec }: KubeObject): JsonMap[] => read.maps(read.map(spec).networks)
export const nicStatusesOf = ({ status }: KubeObject): JsonMap[] =>
  read.maps(read.map(status).interfaces)

/** Those beside the one that the pod itself is on. */
export const secondaryNetworksOf = (vmi: KubeObject): JsonMap[] =>
  networksOf(vmi).filter(
    ({ multus }) => multus !== undefined && read.at(multus, 'default') !== true,
  )
