import { createHash } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { networkRequestOf } from '../../nics/pod-networks.ts'
import { read } from '../../../objects/read.ts'
import { overheadBytes } from './memory-overhead.ts'
import { type LauncherContext } from './context.ts'

const maxLabelLength = 63

/** The hostname of the guest and of its pod. */
export function hostnameOf(vmi: KubeObject): string {
  const [first = ''] = vmi.metadata.name.split('.')
  return read.text(read.spec(vmi).hostname) || first.slice(0, maxLabelLength)
}

/** The labels of the launcher pod. */
export function labelsOf(vmi: KubeObject): Record<string, string> {
  const { name, uid = '', labels = {}, annotations = {} } = vmi.metadata
  const sidecar = annotations['sidecar.istio.io/inject']
  return {
    ...labels,
    'kubevirt.io': 'virt-launcher',
    'kubevirt.io/created-by': uid,
    'vm.kubevirt.io/name': hostnameOf(vmi),
    'vmi.kubevirt.io/id': idOf(name),
    ...(sidecar === undefined ? {} : { 'sidecar.istio.io/inject': sidecar }),
  }
}

/** A name that is too long for a label is cut and made unique with its hash. */
function idOf(name: string): string {
  if (name.length <= maxLabelLength) return name
  return `${name.slice(0, 54)}-${createHash('sha1').update(name).digest('hex').slice(0, 8)}`
}

const notForPods = [
  'kubectl.kubernetes.io',
  'kubevirt.io/storage-observed-api-version',
  'kubevirt.io/latest-observed-api-version',
]

/** The annotations of the launcher pod. */
export function annotationsOf(
  vmi: KubeObject,
  { isGateEnabled }: LauncherContext,
): Record<string, string> {
  const own = Object.entries(vmi.metadata.annotations ?? {}).filter(
    ([key]) => !notForPods.some((each) => key.startsWith(each)),
  )
  return {
    'kubevirt.io/domain': vmi.metadata.name,
    ...Object.fromEntries(own),
    'kubectl.kubernetes.io/default-container': 'compute',
    'kubevirt.io/migrationTransportUnix': 'true',
    'descheduler.alpha.kubernetes.io/request-evict-only': '',
    ...networksOf(vmi),
    ...meshOf(vmi),
    ...backupHooksOf(vmi),
    ...(isGateEnabled('VmiMemoryOverheadReport')
      ? { 'kubevirt.io/memory-overhead-bytes': String(overheadBytes(vmi)) }
      : {}),
  }
}

const interfacesOf = (vmi: KubeObject): JsonMap[] =>
  read
    .maps(read.at(vmi.spec, 'domain', 'devices', 'interfaces'))
    .filter(({ state }) => state !== 'absent')

/**
 * Annotations for the secondary networks, and for a Multus network that replaces the pod network.
 */
function networksOf(vmi: KubeObject): Record<string, string> {
  const first = read
    .maps(read.spec(vmi).networks)
    .find(({ multus }) => read.at(multus, 'default') === true)
  return {
    ...networkRequestOf(vmi),
    ...(first
      ? { 'v1.multus-cni.io/default-network': read.text(read.at(first.multus, 'networkName')) }
      : {}),
  }
}

/** A service mesh must capture the guest's traffic on the masquerade bridge. */
function meshOf(vmi: KubeObject): Record<string, string> {
  if (interfacesOf(vmi).every(({ masquerade }) => masquerade === undefined)) return {}
  return {
    'traffic.sidecar.istio.io/kubevirtInterfaces': 'k6t-eth0',
    'istio.io/reroute-virtual-interfaces': 'k6t-eth0',
  }
}

/** Velero hooks that freeze the guest's file systems during a backup of the pod's volumes. */
function backupHooksOf({
  metadata: { name, namespace = '', annotations = {} },
}: KubeObject): Record<string, string> {
  if (
    ['1', 't', 'true'].includes((annotations['kubevirt.io/skip-backup-hooks'] ?? '').toLowerCase())
  )
    return {}
  const command = (what: string): string =>
    `["/usr/bin/virt-freezer", "--${what}", "--name", ${JSON.stringify(name)}, "--namespace", ${JSON.stringify(namespace)}]`
  return {
    'pre.hook.backup.velero.io/container': 'compute',
    'pre.hook.backup.velero.io/command': command('freeze'),
    'pre.hook.backup.velero.io/timeout': '60s',
    'post.hook.backup.velero.io/container': 'compute',
    'post.hook.backup.velero.io/command': command('unfreeze'),
  }
}
