import { numberOf } from '../../../quantity.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { disksOf, volumesOf } from '../../hotplug/volumes.ts'
import { read } from '../../../objects/read.ts'
import { needsGuaranteedQos } from './guaranteed.ts'

/*
 * The memory overhead of a guest as KubeVirt estimates it: the processes around it, its vCPUs and
 * its devices.
 */

const mebibyte = 2 ** 20

/** virt-launcher-monitor, virt-launcher, virtlogd, virtqemud and QEMU. */
const processesMi = 25 + 100 + 25 + 40 + 50
const perProcessorMi = 8
const ioThreadMi = 8
const videoMi = 32

export const vcpusOf = (vmi: KubeObject): number => {
  const { sockets = 1, cores = 1, threads = 1 } = read.map(read.at(vmi.spec, 'domain', 'cpu'))
  return Math.max(1, Number(sockets) * Number(cores) * Number(threads))
}

/** The memory that a guest's pod needs beyond the memory of the guest. */
export function overheadBytes(vmi: KubeObject): number {
  const mi =
    processesMi +
    perProcessorMi * vcpusOf(vmi) +
    ioThreadMi +
    devicesMi(vmi) +
    probesMi(read.spec(vmi))
  return pageTableBytes(vmi) + mi * mebibyte + reservedBytes(vmi)
}

/**
 * The overhead as a quantity. A sum has the format of its first summand, and page tables are
 * decimal.
 */
export const overheadOf = (vmi: KubeObject): string =>
  pageTableBytes(vmi) > 0 ? inThousands(overheadBytes(vmi)) : quantityOf(overheadBytes(vmi))

const inThousands = (bytes: number): string =>
  bytes % 1000 === 0 ? `${bytes / 1000}k` : String(bytes)

export function quantityOf(bytes: number): string {
  if (bytes % mebibyte === 0) return `${bytes / mebibyte}Mi`
  return bytes % 1024 === 0 ? `${bytes / 1024}Ki` : String(bytes)
}

/**
 * One bit for every 512 bits of the requested memory; guest memory without a request is not
 * counted.
 */
function pageTableBytes(vmi: KubeObject): number {
  const requested = numberOf(read.at(vmi.spec, 'domain', 'resources', 'requests', 'memory')) ?? 0
  return Math.floor((Math.ceil(requested / 1000) * 1000) / 512)
}

function devicesMi(vmi: KubeObject): number {
  const domain = read.map(read.spec(vmi).domain)
  const devices = read.map(domain.devices)
  const isLocked =
    [devices.hostDevices, devices.gpus].some((list) => read.maps(list).length > 0) ||
    hasSriov(devices)
  const hasMetrics =
    volumesOf(vmi).some((volume) => volume.downwardMetrics !== undefined) && disksOf(vmi).length > 0
  const extras: [holds: boolean, mi: number][] = [
    [devices.autoattachGraphicsDevice !== false, videoMi],
    [read.spec(vmi).architecture === 'arm64', 128],
    [isLocked, 1024],
    [hasMetrics, 1],
    [
      read.at(domain.launchSecurity, 'sev') !== undefined ||
        read.at(domain.launchSecurity, 'snp') !== undefined,
      256,
    ],
    [devices.tpm !== undefined && read.at(devices.tpm, 'enabled') !== false, 53],
    [needsGuaranteedQos(vmi), 100],
  ]
  return extras.reduce((sum, [holds, mi]) => sum + (holds ? mi : 0), 0)
}

const hasSriov = (devices: JsonMap): boolean =>
  read.maps(devices.interfaces).some(({ sriov }) => sriov !== undefined)

function probesMi({ livenessProbe, readinessProbe }: JsonMap): number {
  const running = [livenessProbe, readinessProbe].filter(
    (probe) => read.at(probe, 'exec') !== undefined,
  ).length
  return running * 10 + (running > 0 ? 100 : 0)
}

const reservedBytes = (vmi: KubeObject): number =>
  numberOf(read.at(vmi.spec, 'domain', 'memory', 'reservedOverhead', 'addedOverhead')) ?? 0
