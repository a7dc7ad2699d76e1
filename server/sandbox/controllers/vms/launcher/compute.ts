import { randomInt } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { filled, read } from '../../../objects/read.ts'
import { guestGraceSeconds } from '../node/grace.ts'
import { type LauncherContext, emulates } from './context.ts'
import { folders, launcherImage, launcherUser } from './image.ts'
import { probesOf } from './probes.ts'
import { demandOf } from './resources.ts'
import { type LauncherVolume } from './launcher-volume.ts'

/** The compute container of a launcher pod, in which KubeVirt runs the guest. */
export function computeContainer(
  vmi: KubeObject,
  context: LauncherContext,
  launcherVolumes: readonly LauncherVolume[],
): JsonMap {
  const devices = launcherVolumes.flatMap((each) => each.devices ?? [])
  return filled({
    name: 'compute',
    image: launcherImage,
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/virt-launcher-monitor'],
    args: argsOf(vmi, context),
    env: environmentOf(vmi, launcherVolumes),
    ports: portsOf(vmi),
    resources: demandOf(vmi, context),
    volumeMounts: launcherVolumes.flatMap((each) => each.mounts ?? []),
    volumeDevices: devices.length > 0 ? devices : undefined,
    ...probesOf(vmi),
    securityContext: {
      runAsUser: launcherUser,
      runAsGroup: launcherUser,
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  })
}

/** The grace period of the guest plus 15 seconds for the launcher. */
export const graceSeconds = (vmi: KubeObject): number => guestGraceSeconds(vmi) + 15

function argsOf(vmi: KubeObject, context: LauncherContext): string[] {
  const { name, namespace = '', uid = '', annotations = {} } = vmi.metadata
  const filters = annotations['kubevirt.io/libvirt-log-filters']
  return [
    // A random timeout keeps the launchers of a node from giving up at the same moment.
    '--qemu-timeout',
    `${240 + randomInt(120)}s`,
    '--name',
    name,
    '--uid',
    uid,
    '--namespace',
    namespace,
    '--kubevirt-share-dir',
    folders.shared,
    '--ephemeral-disk-dir',
    folders.ephemeralDisks,
    '--container-disk-dir',
    `${folders.shared}/container-disks`,
    '--grace-period-seconds',
    String(graceSeconds(vmi)),
    '--hook-sidecars',
    '0',
    '--ovmf-path',
    read.spec(vmi).architecture === 'arm64' ? '/usr/share/AAVMF' : '/usr/share/edk2/ovmf',
    '--disk-memory-limit',
    '2097152000',
    '--hypervisor',
    'kvm',
    '--run-as-nonroot',
    ...flagsOf(context),
    ...(filters === undefined ? [] : ['--libvirt-log-filters', filters]),
    ...(emulates(context) ? ['--allow-emulation'] : []),
    ...(['', 'true'].includes(
      annotations['kubevirt.io/keep-launcher-alive-after-failure'] ?? 'false',
    )
      ? ['--keep-after-failure']
      : []),
  ]
}

const gates = {
  ImageVolume: '--image-volume',
  PodSecondaryInterfaceNamingUpgrade: '--upgrade-ordinal-ifaces',
  VGPULiveMigration: '--vgpu-dedicated-hook',
  VMStatsCollector: '--vm-stats-collector',
  FirmwareAutoSelection: '--firmware-auto-selection',
}

const flagsOf = ({ isGateEnabled: isOn }: LauncherContext): string[] =>
  Object.entries(gates).flatMap(([gate, flag]) => (isOn(gate) ? [flag] : []))

const maxQuietVerbosity = 5

function environmentOf(vmi: KubeObject, launcherVolumes: readonly LauncherVolume[]): JsonMap[] {
  const { logVerbosity, debugLogs, virtiofsdDebugLogs } = vmi.metadata.labels ?? {}
  const shared = launcherVolumes.flatMap(({ sharedFolder }) => sharedFolder ?? []).join(':')
  const isVerbose = Number(logVerbosity ?? 2) > maxQuietVerbosity
  const set: [name: string, value: string | undefined][] = [
    ['XDG_CACHE_HOME', folders.private],
    ['XDG_CONFIG_HOME', folders.private],
    ['XDG_RUNTIME_DIR', folders.run],
    ['SHARED_FILESYSTEM_PATHS', shared || undefined],
    ['VIRT_LAUNCHER_LOG_VERBOSITY', logVerbosity],
    ['LIBVIRT_DEBUG_LOGS', isVerbose || debugLogs?.toLowerCase() === 'true' ? '1' : undefined],
    [
      'VIRTIOFSD_DEBUG_LOGS',
      isVerbose || virtiofsdDebugLogs?.toLowerCase() === 'true' ? '1' : undefined,
    ],
  ]
  const variables = set.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  return [
    ...variables,
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ]
}

function portsOf(vmi: KubeObject): JsonMap[] | undefined {
  const interfaces = read.maps(read.at(vmi.spec, 'domain', 'devices', 'interfaces'))
  const ports = interfaces.flatMap((each) => read.maps(each.ports))
  return ports.length === 0
    ? undefined
    : ports.map(({ name, port, protocol }) =>
        filled({ name, containerPort: port, protocol: read.text(protocol).toUpperCase() || 'TCP' }),
      )
}
