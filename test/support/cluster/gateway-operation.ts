import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'

export interface Operation {
  /** What follows from an answer depends on this alone. */
  does: 'read' | 'list' | 'detect' | 'stream' | 'log' | 'create' | 'correct' | 'remove' | 'order'
  method: string
  /** What it turns into a path; a list takes no names. */
  takes?: readonly (keyof Place)[]
  run(cluster: Cluster, place: Place): Promise<unknown>
  /** The only paths that it may ask for. */
  paths(place: Place): readonly string[]
}

/** Names as they come from anywhere. */
export interface Place {
  namespace: string
  name: string
}
