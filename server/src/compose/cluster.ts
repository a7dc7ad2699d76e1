import { type CallListener } from '../engine/kube/transport.ts'
import { type Cluster, connectCluster } from '../cluster/kubevirt-cluster.ts'
import { systemClock } from '../runtime/clock.ts'
import { type Config } from '../runtime/config/config.ts'
import { type StartupContext } from './startup-context.ts'

interface ClusterOptions {
  /** The kubeconfig of the sandbox. Null when there is no sandbox. */
  kubeconfig: string | null
  onCall?: CallListener
}

/** Opens the sandbox if there is one, otherwise the configured cluster. The first call connects. */
export function openCluster(
  { config, log, stop }: Pick<StartupContext, 'config' | 'log' | 'stop'>,
  { kubeconfig, onCall }: ClusterOptions,
): Cluster {
  const address = kubeconfig
    ? { kind: 'sandbox' as const, kubeconfig }
    : { ...config.cluster, kind: externalKind(config) }
  const cluster = connectCluster(address, {
    clock: systemClock,
    log,
    callsPerSecond: config.cluster.callsPerSecond,
    ...(onCall ? { onCall } : {}),
  })
  stop.onStop('cluster', () => cluster.close())
  return cluster
}

function externalKind({ cluster }: Config): 'kubeconfig' | 'inCluster' {
  return cluster.kind === 'inCluster' ? 'inCluster' : 'kubeconfig'
}
