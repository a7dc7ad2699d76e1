import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

/** Refuses devices and settings that the architecture does not support. */
export const architectureCauses: Rule = (context) => {
  const architecture = read.text(context.spec.architecture)
  const rules = architectures[architecture]
  return (
    rules?.(context) ?? [
      cause.wrong(`${context.at}.architecture`, `unsupported architecture: ${architecture}`),
    ]
  )
}

const architectures: Readonly<Record<string, (context: RuleContext) => Cause[]>> = {
  amd64: (context) => [
    ...watchdogCauses(context, {
      own: 'i6300esb',
      other: 'diag288',
      message: 'amd64 only supports I6300ESB watchdog device',
    }),
    ...videoCauses(context, ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs']),
  ],

  s390x: (context) => [
    ...watchdogCauses(context, {
      own: 'diag288',
      other: 'i6300esb',
      message: 's390x only supports Diag288 watchdog device',
    }),
    ...videoCauses(context, ['virtio']),
  ],

  arm64(context) {
    const at = `${context.at}.domain`
    const { firmware, cpu } = parts.domain(context)
    const { watchdog, sound } = parts.devices(context)
    const model = read.text(read.at(cpu, 'model'))
    return [
      ...causesWhere(
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
      ...busCauses(context),
      ...causesWhere(
        [
          watchdog !== undefined,
          cause.unsupported(`${at}.devices.watchdog`, 'Arm64 not support Watchdog device'),
        ],
        [
          sound !== undefined,
          cause.unsupported(`${at}.devices.sound`, 'Arm64 not support sound device'),
        ],
      ),
      ...videoCauses(context, ['virtio', 'ramfb']),
    ]
  },
}

function watchdogCauses(
  context: RuleContext,
  { own, other, message }: { own: string; other: string; message: string },
): Cause[] {
  const { watchdog } = parts.devices(context)
  const isOnlyOwn = read.at(watchdog, own) !== undefined && read.at(watchdog, other) === undefined
  return causesWhere([
    watchdog !== undefined && !isOnlyOwn,
    cause.unsupported(`${context.at}.domain.devices.watchdog`, message),
  ])
}

function videoCauses(context: RuleContext, known: readonly string[]): Cause[] {
  const { video } = parts.devices(context)
  const type = read.text(read.at(video, 'type'))
  const message = `video model '${type}' is not supported on ${read.text(context.spec.architecture)} architecture`
  return causesWhere([
    video !== undefined && !known.includes(type),
    cause.unsupported(`${context.at}.domain.devices.video.type`, message),
  ])
}

const armBuses = ['', 'virtio', 'scsi']

const busCauses = (context: RuleContext): Cause[] =>
  parts.disks(context).flatMap((disk, index) => {
    const unfit = (kind: 'disk' | 'cdrom' | 'lun'): boolean =>
      disk[kind] !== undefined && !armBuses.includes(busOf(read.map(disk[kind])))
    return (['disk', 'cdrom', 'lun'] as const)
      .filter(unfit)
      .map((kind) =>
        cause.unsupported(
          `${context.at}.domain.devices.disks[${index}].${kind}.bus`,
          'Arm64 not support this disk bus type, please use virtio or scsi',
        ),
      )
  })

const busOf = ({ bus }: JsonMap): string => read.text(bus)
