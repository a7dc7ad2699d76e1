import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Rule, found, parts } from './rule.ts'

type Device =
  | 'inputs'
  | 'ioThreads'
  | 'sound'
  | 'video'
  | 'panic'
  | 'ramFb'
  | 'hostDevices'
  | 'vsock'
  | 'downwardMetrics'

/** Devices that are neither disks nor network cards. */
export const devices: Record<Device | 'filesystems' | 'rebootPolicy', Rule> = {
  inputs: (asked) =>
    read.maps(parts.devices(asked).inputs).flatMap(({ bus, type }, index) => {
      const at = `${asked.at}.domain.devices.inputs[${index}]`
      return found(
        [
          !['virtio', 'usb', ''].includes(read.text(bus)),
          cause.wrong(`${at}.bus`, 'Input device can have only virtio or usb bus.'),
        ],
        [type !== 'tablet', cause.wrong(`${at}.type`, 'Input device can have only tablet type.')],
      )
    }),

  ioThreads(asked) {
    const { ioThreadsPolicy, ioThreads } = parts.domain(asked)
    if (ioThreadsPolicy === undefined) return []
    const policy = read.text(ioThreadsPolicy)
    const count = read.at(ioThreads, 'supplementalPoolThreadCount')
    const at = `${asked.at}.domain`
    const message = 'the number of iothreads needs to be set and positive for the dedicated policy'
    return found(
      [
        !['shared', 'auto', 'supplementalPool'].includes(policy),
        cause.wrong(`${at}.ioThreadsPolicy`, `Invalid IOThreadsPolicy (${policy})`),
      ],
      [
        policy === 'supplementalPool' && Number(count ?? 0) < 1,
        cause.wrong(`${at}.ioThreads.count`, message),
      ],
    )
  },

  sound(asked) {
    const { sound } = parts.devices(asked)
    if (sound === undefined) return []
    const { model, name } = read.map(sound)
    return found(
      [
        !['', 'ich9', 'ac97'].includes(read.text(model)),
        cause.wrong(
          `${asked.at}.Sound`,
          "Sound device type is not supported. Options: 'ich9' or 'ac97'",
        ),
      ],
      [
        read.text(name) === '',
        cause.wrong(`${asked.at}.Sound`, 'Sound device requires a name field.'),
      ],
    )
  },

  video(asked) {
    const { video, autoattachGraphicsDevice } = parts.devices(asked)
    const message =
      'Video configuration is not allowed when autoattachGraphicsDevice is set to false'
    return found([
      video !== undefined && autoattachGraphicsDevice === false,
      cause.wrong(`${asked.at}.video`, message),
    ])
  },

  panic(asked) {
    const all = read.maps(parts.devices(asked).panicDevices)
    const field = `${asked.at}.domain.devices.panicDevices`
    return [
      ...found([
        all.length > 0 && asked.spec.architecture === 's390x',
        cause.wrong(field, 'custom panic devices are not supported on s390x architecture'),
      ]),
      ...all.flatMap(({ model }, index) => {
        const isKnown =
          model === undefined || ['hyperv', 'isa', 'pvpanic'].includes(read.text(model))
        return isKnown
          ? []
          : [
              cause.wrong(
                `${field}[${index}].model`,
                `invalid PanicDeviceModel(${read.text(model)})`,
              ),
            ]
      }),
    ]
  },

  ramFb: (asked) =>
    found([
      read.maps(parts.devices(asked).gpus).filter(hasRamFb).length > 1,
      cause.wrong(`${asked.at}.GPUs`, 'configuring multiple displays with ramfb is not valid '),
    ]),

  hostDevices: (asked) =>
    found([
      parts.devices(asked).hostDevices !== undefined && !asked.config.isOn('HostDevices'),
      cause.wrong(
        `${asked.at}.HostDevices`,
        'Host Devices feature gate is not enabled in kubevirt-config',
      ),
    ]),

  vsock: (asked) =>
    found([
      parts.devices(asked).autoattachVSOCK === true && !asked.config.isOn('VSOCK'),
      cause.wrong(
        `${asked.at}.domain.devices.autoattachVSOCK`,
        'VSOCK feature gate is not enabled in kubevirt-config',
      ),
    ]),

  downwardMetrics: (asked) =>
    found([
      parts.devices(asked).downwardMetrics !== undefined && !asked.config.isOn('DownwardMetrics'),
      cause.wrong(
        `${asked.at}.domain.devices.downwardMetrics`,
        'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled',
      ),
    ]),

  filesystems(asked) {
    if (asked.config.isOn('EnableVirtioFsStorageVolumes')) return []
    const field = `${asked.at}.domain.devices.filesystems`
    const stored = parts
      .volumes(asked)
      .filter(
        ({ persistentVolumeClaim, dataVolume }) =>
          persistentVolumeClaim !== undefined || dataVolume !== undefined,
      )
    return read
      .maps(parts.devices(asked).filesystems)
      .filter(({ name }) => stored.some((volume) => volume.name === name))
      .map(() =>
        cause.wrong(field, 'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC'),
      )
  },

  rebootPolicy: (asked) =>
    found([
      parts.domain(asked).rebootPolicy !== undefined && !asked.config.isOn('RebootPolicy'),
      cause.wrong(
        `${asked.at}.domain.rebootPolicy`,
        'RebootPolicy is specified but the RebootPolicy feature gate is not enabled',
      ),
    ]),
}

function hasRamFb({ virtualGPUOptions }: JsonMap): boolean {
  const display = read.at(virtualGPUOptions, 'display')
  if (display === undefined || read.at(display, 'enabled') === false) return false
  const ramFb = read.at(display, 'ramFB')
  return ramFb === undefined || read.at(ramFb, 'enabled') === true
}
