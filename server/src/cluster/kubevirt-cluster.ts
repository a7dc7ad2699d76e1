import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type ClusterReader } from './reader.ts'
import { type ClusterWatcher, optionalNouns } from './watcher.ts'
import { type Watch, type WatchedKind } from '../engine/kube/watch/watch.ts'
import { type ClusterWriter } from './writer.ts'
import { type ClusterStreams } from '../engine/kube/streams/streams.ts'
import { type ClusterAddress, endpointSource } from '../engine/kube/connect.ts'
import { capabilityReader } from './capabilities/read-capabilities.ts'
import { type ApiCall, type ApiKind } from '../engine/kube/api-call.ts'
import { instanceKind } from './vm/instances.ts'
import { startListWatch } from '../engine/kube/watch/list-watch.ts'
import { guestStreams } from './vm/guest-streams.ts'
import { manifests } from './manifests.ts'
import { requireDeclared as requireDeclaredCall } from './used-kinds.ts'
import { namespaceKind, namespaceReader, namespaceWriter } from './tenant/namespace.ts'
import { objectReader, objectWriter } from './objects.ts'
import { vmSnapshotReader } from './vm-snapshot/vm-snapshots.ts'
import { volumeReader, volumeWriter } from './volume/volumes.ts'
import { powerWriter } from './vm/power-vm.ts'
import { vmDriftWriter } from './vm/vm-drift.ts'
import { getCachedVm, vmReader } from './vm/read-vm.ts'
import { unmanagedVmReader } from './vm/unmanaged-vms.ts'
import { type ApplyObject, applyObject } from '../engine/kube/apply.ts'
import { OwnWrites } from '../engine/kube/watch/own-writes.ts'
import { WatchCache } from '../engine/kube/watch/watch-cache.ts'
import { nodeReader } from './node/nodes.ts'
import { subnetReader } from './network/subnets.ts'
import { vlanTagReader } from './network/vlan-tags.ts'
import { MissingRights, missingRightIn } from '../engine/kube/missing-rights.ts'
import { createTokenBucket } from '../engine/kube/token-bucket.ts'
import {
  type CallListener,
  type Transport,
  type TransportParts,
  createTransport,
} from '../engine/kube/transport.ts'

export interface Cluster extends ClusterWatcher {
  reader: ClusterReader
  writer: ClusterWriter
  streams: ClusterStreams
  close(): Promise<void>
}

interface ClusterParts {
  clock: Clock
  log: Log
  /** The sustained rate; a burst may have twice as many calls. */
  callsPerSecond?: number
  onCall?: CallListener
  /** The missing rights of this process, which all its connections share. */
  rights?: MissingRights
  /** Throws for calls that no kind declares. */
  requireDeclared?: (call: ApiCall) => void
  /** Timeout of one call. */
  timeoutMs?: number
}

function kindOf(noun: WatchedKind): ApiKind {
  if (noun === 'namespace') return namespaceKind
  return noun === 'instance' ? instanceKind : manifests[noun].of
}

/** Users learn only that the cluster refused; the reason may name objects of the platform. */
function refusalListeners(
  log: Log,
  rights: MissingRights,
): Pick<TransportParts, 'onForbidden' | 'onRefusedWrite'> {
  return {
    onForbidden: (error) => rights.record(error),
    onRefusedWrite(error) {
      if (missingRightIn(error)) return
      log.warn('cluster.write_refused', {
        error,
        effect: 'the object stays as it was; an operation that needs the change fails',
        remedy:
          'fix the policy, quota or webhook that the error names; if it names none, report the error to the developers of Berth',
      })
    },
  }
}

interface ReaderParts {
  transport: Transport
  rights: MissingRights
  clock: Clock
}

const readerOn = (parts: ReaderParts): ClusterReader => ({
  ...namespaceReader(parts.transport),
  ...objectReader(parts.transport),
  ...vmReader(parts.transport, parts.clock),
  ...unmanagedVmReader(parts.transport),
  ...volumeReader(parts.transport),
  ...vmSnapshotReader(parts.transport),
  ...subnetReader(parts.transport),
  ...vlanTagReader(parts.transport),
  ...nodeReader(parts.transport),
  ...capabilityReader(parts),
})

interface WriterParts {
  transport: Transport
  apply: ApplyObject
  watchCache: WatchCache
}

const writerOn = ({ transport, apply, watchCache }: WriterParts): ClusterWriter => ({
  ...namespaceWriter(transport, apply),
  ...objectWriter(transport, apply, watchCache),
  ...powerWriter(transport),
  ...vmDriftWriter(transport),
  ...volumeWriter(apply),
})

/**
 * Builds the reader, writer, watcher and streams with which Berth uses one Kubernetes cluster. *
 * Opens no connection yet: the first call connects. An unreachable cluster is an ordinary error of
 * that call.
 */
export function connectCluster(
  address: ClusterAddress,
  { clock, log, callsPerSecond = 20, timeoutMs, onCall, ...parts }: ClusterParts,
): Cluster {
  const { rights = new MissingRights({ log }), requireDeclared = requireDeclaredCall } = parts
  const bucket = createTokenBucket({ perSecond: callsPerSecond, burst: 2 * callsPerSecond, clock })
  const transport = createTransport({
    source: endpointSource(address, clock),
    bucket,
    clock,
    onCall,
    requireDeclared,
    ...refusalListeners(log, rights),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  const watches = new Set<Watch>()
  const ownWrites = new OwnWrites()
  const apply: ApplyObject = (manifest) =>
    ownWrites.send(manifest, () => applyObject(transport, manifest))
  const watchCache = new WatchCache([manifests.vm.of, instanceKind, manifests.dataVolume.of], clock)
  return {
    reader: readerOn({ transport, rights, clock }),
    writer: writerOn({ transport, apply, watchCache }),
    streams: guestStreams(transport, clock),
    watch(noun, changed) {
      const isOptional = optionalNouns.some((each) => each === noun)
      const started = startListWatch({
        of: kindOf(noun),
        transport,
        clock,
        log: log.with({ kind: noun }),
        changed,
        isOptional,
        includesForeign: noun === 'vm',
        cache: watchCache,
        ownWrites,
      })
      watches.add(started)
      return started
    },
    getCachedVm: (ref) => getCachedVm(watchCache, clock, ref),
    async close() {
      await Promise.all([...watches].map((each) => each.stop()))
      transport.close()
    },
  }
}
