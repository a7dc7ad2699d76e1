import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/* Readers of the volumes and disks of VMIs. */

export const volumesOf = ({ spec }: KubeObject): JsonMap[] => read.maps(read.map(spec).volumes)
export const disksOf = ({ spec }: KubeObject): JsonMap[] =>
  read.maps(read.at(spec, 'domain', 'devices', 'disks'))

export const named = (list: readonly JsonMap[], name: unknown): JsonMap | undefined =>
  list.find((each) => each.name === name)

export const statusesOf = ({ status }: KubeObject): JsonMap[] =>
  read.maps(read.map(status).volumeStatus)
