import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

const plugin = 'devices.kubevirt.io'

/**
 * The node devices that a launcher pod's compute container needs, as resource limits: device
 * plugins count limits.
 */
export function deviceLimits(vmi: KubeObject, isEmulated: boolean): JsonMap {
  const devices = read.map(read.at(vmi.spec, 'domain', 'devices'))
  const { sev, snp, tdx } = read.map(read.at(vmi.spec, 'domain', 'launchSecurity'))
  const requiredDevices: [device: string, holds: boolean][] = [
    ['tun', read.maps(devices.interfaces).length > 0 || devices.autoattachPodInterface !== false],
    ['vhost-net', !isEmulated && read.maps(devices.interfaces).some(isVirtio)],
    ['kvm', !isEmulated],
    ['vhost-vsock', devices.autoattachVSOCK === true],
    ['sev', sev !== undefined || snp !== undefined],
    ['tdx', tdx !== undefined],
    ['pr-helper', read.maps(devices.disks).some(({ lun }) => read.at(lun, 'reservation') === true)],
  ]
  const limits = requiredDevices.flatMap(([device, holds]) =>
    holds ? [[`${plugin}/${device}`, '1'] as const] : [],
  )
  return { ...Object.fromEntries(limits), ...passedThrough(devices) }
}

const isVirtio = ({ model }: JsonMap): boolean =>
  read.text(model) === '' || read.text(model).startsWith('virtio')

function passedThrough({ gpus, hostDevices }: JsonMap): Record<string, string> {
  const counts: Record<string, number> = {}
  for (const { deviceName, claimName } of [...read.maps(gpus), ...read.maps(hostDevices)]) {
    const name = read.text(deviceName)
    if (name !== '' && claimName === undefined) counts[name] = (counts[name] ?? 0) + 1
  }
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]))
}
