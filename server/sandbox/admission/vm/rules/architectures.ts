import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Asked, type Rule, found, parts } from './rule.ts'

/** What each architecture lacks. */
export const architectureCauses: Rule = (asked) => {
  const architecture = read.text(asked.spec.architecture)
  const rules = architectures[architecture]
  return (
    rules?.(asked) ?? [
      cause.wrong(`${asked.at}.architecture`, `unsupported architecture: ${architecture}`),
    ]
  )
}

const architectures: Readonly<Record<string, (asked: Asked) => Cause[]>> = {
  amd64: (asked) => [
    ...watchdogCauses(asked, {
      own: 'i6300esb',
      other: 'diag288',
      message: 'amd64 only supports I6300ESB watchdog device',
    }),
    ...videoCauses(asked, ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs']),
  ],

  s390x: (asked) => [
    ...watchdogCauses(asked, {
      own: 'diag288',
      other: 'i6300esb',
      message: 's390x only supports Diag288 watchdog device',
    }),
    ...videoCauses(asked, ['virtio']),
  ],

  arm64(asked) {
    const at = `${asked.at}.domain`
    const { firmware, cpu } = parts.domain(asked)
    const { watchdog, sound } = parts.devices(asked)
    const model = read.text(read.at(cpu, 'model'))
    return [
      ...found(
        [
          read.at(firmware, 'bootloader', 'bios') !== undefined,
          cause.unsupported(
            `${at}.firmware.bootloader.bios`,
            'Arm64 does not support bios boot, please change to uefi boot',
          ),
        ],
        [
          model !== '' && model !== 'host-passthrough',
          cause.unsupported(
            `${at}.cpu.model`,
            'currently, host-passthrough is the only model supported on Arm64',
          ),
        ],
      ),
      ...busCauses(asked),
      ...found(
        [
          watchdog !== undefined,
          cause.unsupported(`${at}.devices.watchdog`, 'Arm64 not support Watchdog device'),
        ],
        [
          sound !== undefined,
          cause.unsupported(`${at}.devices.sound`, 'Arm64 not support sound device'),
        ],
      ),
      ...videoCauses(asked, ['virtio', 'ramfb']),
    ]
  },
}

function watchdogCauses(
  asked: Asked,
  { own, other, message }: { own: string; other: string; message: string },
): Cause[] {
  const { watchdog } = parts.devices(asked)
  const isOnlyOwn = read.at(watchdog, own) !== undefined && read.at(watchdog, other) === undefined
  return found([
    watchdog !== undefined && !isOnlyOwn,
    cause.unsupported(`${asked.at}.domain.devices.watchdog`, message),
  ])
}

function videoCauses(asked: Asked, known: readonly string[]): Cause[] {
  const { video } = parts.devices(asked)
  const type = read.text(read.at(video, 'type'))
  const message = `video model '${type}' is not supported on ${read.text(asked.spec.architecture)} architecture`
  return found([
    video !== undefined && !known.includes(type),
    cause.unsupported(`${asked.at}.domain.devices.video.type`, message),
  ])
}

const armBuses = ['', 'virtio', 'scsi']

const busCauses = (asked: Asked): Cause[] =>
  parts.disks(asked).flatMap((disk, index) => {
    const unfit = (kind: 'disk' | 'cdrom' | 'lun'): boolean =>
      disk[kind] !== undefined && !armBuses.includes(busOf(read.map(disk[kind])))
    return (['disk', 'cdrom', 'lun'] as const)
      .filter(unfit)
      .map((kind) =>
        cause.unsupported(
          `${asked.at}.domain.devices.disks[${index}].${kind}.bus`,
          'Arm64 not support this disk bus type, please use virtio or scsi',
        ),
      )
  })

const busOf = ({ bus }: JsonMap): string => read.text(bus)
