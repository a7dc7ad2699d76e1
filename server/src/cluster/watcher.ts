import { type KindWatcher } from '../engine/kube/watch/watch.ts'
import { type ObservedVm } from '../domain/vm/observed.ts'
import { listedNouns, clusterScopedNouns } from './reader.ts'

/**
 * Nouns that some clusters do not serve, or do not let Berth read. The cache then knows nothing
 * about them.
 */
export const optionalNouns = ['multiNetworkPolicy', ...clusterScopedNouns] as const

/** `instance` is a VMI, with the name and the ids of its VM. */
export const watchedNouns = ['namespace', 'instance', ...listedNouns, ...optionalNouns] as const
declare module '../engine/model/registry.ts' {
  interface WatchedKinds extends Record<(typeof watchedNouns)[number], true> {}
}

export interface ClusterWatcher extends KindWatcher {
  /**
   * Returns a VM as the watch cache had it within the last minute, without a call; null when the
   * cache knows too little. It may be behind the cluster, but never behind Berth's own writes. Use
   * it to record the observed state, not to decide on creating or deleting objects.
   */
  getCachedVm(ref: { namespace: string; name: string }): ObservedVm | null
}
