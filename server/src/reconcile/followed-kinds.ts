import { type WatchedKind } from '../engine/kube/watch/watch.ts'

/** Changes of these kinds of cluster objects enqueue work keys. */
export const followedKinds = [
  'namespace',
  'vm',
  'instance',
  'dataVolume',
  'network',
  'networkPolicy',
  'multiNetworkPolicy',
  'subnet',
  'service',
  'endpointSlice',
  'quota',
  'limits',
  'volume',
  'volumeSnapshot',
  'vmSnapshot',
] as const satisfies readonly WatchedKind[]

declare module '../engine/model/registry.ts' {
  interface FollowedKinds extends Record<(typeof followedKinds)[number], true> {}
}
