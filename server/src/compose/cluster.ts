import { type CallListener } from '../engine/kube/transport.ts'
import { type Cluster, connectCluster } from '../cluster/kubevirt-cluster.ts'
import { MissingRights } from '../engine/kube/missing-rights.ts'
import { type Config } from '../runtime/config/config.ts'
import { type StartupContext } from './startup-context.ts'

interface ClusterOptions {
  /** The kubeconfig of the sandbox. Null when there is no sandbox. */
  kubeconfig: string | null
  /** The missing rights of this process, which all its connections to the cluster share. */
  rights: MissingRights
  onCall?: CallListener
}

/** Opens the sandbox if there is one, otherwise the configured cluster. The first call connects. */
export function openCluster(
  { config, clock, log, stop }: Pick<StartupContext, 'config' | 'clock' | 'log' | 'stop'>,
  { kubeconfig, rights, onCall }: ClusterOptions,
): Cluster {
  const address = kubeconfig
    ? { kind: 'sandbox' as const, kubeconfig }
    : { ...config.cluster, kind: externalKind(config) }
  const cluster = connectCluster(address, {
    clock,
    log,
    rights,
    callsPerSecond: config.cluster.callsPerSecond,
    ...(onCall ? { onCall } : {}),
  })
  stop.onStop('cluster', () => cluster.close())
  return cluster
}

/** Nothing calls the kinds of a component that the configuration leaves out. */
export function missingRightsOf({ config, log }: Pick<StartupContext, 'config' | 'log'>) {
  const { driver } = config.network
  const unusedGroups = [
    ...(config.platform.networking.public.uplink === null ? ['nmstate.io'] : []),
    ...(driver === 'auto' || driver === 'kube-ovn' ? [] : ['kubeovn.io']),
  ]
  return new MissingRights({ log, unusedGroups })
}

function externalKind({ cluster }: Config): 'kubeconfig' | 'inCluster' {
  return cluster.kind === 'inCluster' ? 'inCluster' : 'kubeconfig'
}
