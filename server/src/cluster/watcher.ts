import { type KindWatcher } from '../engine/kube/watch/watch.ts'
import { type SeenVm } from '../domain/vm/seen.ts'
import { listedNouns, wideNouns } from './reader.ts'

/** What not every cluster knows, or lets us see: nothing is known of it then. */
export const optionalNouns = ['multiNetworkPolicy', ...wideNouns] as const

/** `instance` is one run of a VM, under the VM's name and ids. */
export const watchedNouns = ['namespace', 'instance', ...listedNouns, ...optionalNouns] as const
declare module '../engine/model/registry.ts' {
  interface WatchedKinds extends Record<(typeof watchedNouns)[number], true> {}
}

export interface ClusterWatcher extends KindWatcher {
  /**
   * A VM as streams told of it and its parts within the last minute, without a call; null when they
   * told too little. It may be behind by what is on its way, but never behind our own writes: good
   * for writing down what is seen, not for deciding to make or to remove.
   */
  recallVm(ref: { namespace: string; name: string }): SeenVm | null
}
