import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { whyNoLabel } from '../rules/dns-names.ts'
import { blockSizeCauses } from './block-size.ts'
import { isPciAddress } from '../rules/hardware.ts'
import { type Rule, causesWhere, parts } from '../rules/rule.ts'

interface Disk {
  disk: JsonMap
  index: number
  /** The path of the list of disks. */
  list: string
  at: string
}

type DiskRule = (disk: Disk) => Cause[]

/** Validates each disk of a VM on its own, with the error messages of KubeVirt's webhook. */
export const disks: Rule = (context) => {
  const list = `${context.at}.domain.devices.disks`
  const all = parts.disks(context)
  return all.flatMap((disk, index) => {
    const each: Disk = { disk, index, list, at: `${list}[${index}]` }
    return [...sameNameCauses(each, all), ...rules.flatMap((rule) => rule(each))]
  })
}

/** KubeVirt repeats the path of the list within the path of some fields. */
const oddField = ({ list, index }: Disk): string => `${list}.domain.devices.disks[${index}]`

const sameNameCauses = ({ disk, index, list, at }: Disk, all: readonly JsonMap[]): Cause[] =>
  all.flatMap((other, otherIndex) =>
    otherIndex < index && other.name === disk.name
      ? [cause.wrong(`${at}.name`, `${at} and ${list}[${otherIndex}] must not have the same Name.`)]
      : [],
  )

const kinds = ['disk', 'lun', 'cdrom'] as const
const kindOf = (disk: JsonMap) => kinds.find((kind) => disk[kind] !== undefined)

const busOf = (disk: JsonMap): string => read.text(read.at(disk, kindOf(disk) ?? 'disk', 'bus'))

const rules: readonly DiskRule[] = [
  ({ disk, at }) =>
    causesWhere([
      kinds.filter((kind) => disk[kind] !== undefined).length > 1,
      cause.wrong(at, `${at} can only have a single target type defined`),
    ]),
  pciCauses,
  ({ disk: { bootOrder }, at }) =>
    causesWhere([
      bootOrder !== undefined && Number(bootOrder) < 1,
      cause.wrong(`${at}.bootOrder`, `${at} must have a boot order > 0, if supplied`),
    ]),
  busCauses,
  serialCauses,
  modeCauses,
  ({ disk, index, list }) =>
    whyNoLabel(read.text(disk.name)).map((why) =>
      cause.wrong(`${oddField({ disk, index, list, at: '' })}.name`, why),
    ),
  ({ disk, at }) => blockSizeCauses(at, read.map(disk.blockSize), busOf(disk)),
]

function pciCauses({ disk, index, list }: Disk): Cause[] {
  const { pciAddress, bus } = read.map(disk.disk)
  const address = read.text(pciAddress)
  if (address === '') return []
  const at = `${list}.domain.devices.disks.disk[${index}]`
  return causesWhere(
    [
      bus !== 'virtio',
      cause.wrong(
        `${at}.pciAddress`,
        `disk ${at}.name - setting a PCI address is only possible with bus type virtio.`,
      ),
    ],
    [
      !isPciAddress(address),
      cause.wrong(`${at}.pciAddress`, `disk ${at}.name has malformed PCI address (${address}).`),
    ],
  )
}

const buses = ['virtio', 'scsi', 'sata', 'usb']

function busCauses(each: Disk): Cause[] {
  const { disk, at } = each
  const bus = busOf(disk)
  if (bus === '') return []
  const kind = kindOf(disk) ?? 'disk'
  const field = `${at}.${kind}.bus`
  const unknown = `${at} is set with an unrecognized bus ${bus}, must be one of: [${buses.join(' ')}]`
  const isReadOnly = read.at(disk, 'disk', 'readonly') === true
  return causesWhere(
    [bus === 'ide', cause.wrong(field, 'IDE bus is not supported')],
    [
      bus === 'virtio' && kind === 'cdrom',
      cause.wrong(field, `Bus type ${bus} is invalid for CD-ROM device`),
    ],
    [
      bus === 'sata' && isReadOnly,
      cause.wrong(`${at}.disk.bus`, `${bus} hard-disks do not support read-only.`),
    ],
    [bus !== 'ide' && !buses.includes(bus), cause.wrong(field, unknown)],
    [
      disk.dedicatedIOThread === true && bus !== 'virtio',
      cause.unsupported(oddField(each), `IOThreads are not supported for disks on a ${bus} bus`),
    ],
  )
}

function serialCauses({ disk, at }: Disk): Cause[] {
  const serial = read.text(disk.serial)
  if (serial === '') return []
  return causesWhere(
    [
      !/^[A-Za-z0-9_.+-]+$/.test(serial),
      cause.wrong(
        `${at}.serial`,
        `${at} must be made up of the following characters [A-Za-z0-9_.+-], if specified`,
      ),
    ],
    [
      Array.from(serial).length > 256,
      cause.wrong(
        `${at}.serial`,
        `${at} must be less than or equal to 256 in length, if specified`,
      ),
    ],
  )
}

function modeCauses(each: Disk): Cause[] {
  const { disk, at, list } = each
  const [cache, io, errorPolicy] = [disk.cache, disk.io, disk.errorPolicy].map(read.text)
  return causesWhere(
    [
      !['', 'none', 'writethrough', 'writeback'].includes(cache ?? ''),
      cause.wrong(`${at}.cache`, `${at}.cache has invalid value ${cache}`),
    ],
    [
      !['', 'native', 'threads'].includes(io ?? ''),
      cause.unsupported(
        `${oddField(each)}.io`,
        `Disk IO mode for ${list} is not supported. Supported modes are: native, threads.`,
      ),
    ],
    [
      disk.errorPolicy !== undefined &&
        !['stop', 'ignore', 'report', 'enospace'].includes(errorPolicy ?? ''),
      cause.wrong(`${at}.errorPolicy`, `${at}.errorPolicy has invalid value "${errorPolicy}"`),
    ],
  )
}
