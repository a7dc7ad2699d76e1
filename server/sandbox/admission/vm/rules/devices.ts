import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Rule, causesWhere, parts } from './rule.ts'

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

/** Validates devices other than disks and interfaces. */
export const devices: Record<Device | 'filesystems' | 'rebootPolicy', Rule> = {
  inputs: (context) =>
    read.maps(parts.devices(context).inputs).flatMap(({ bus, type }, index) => {
      const at = `${context.at}.domain.devices.inputs[${index}]`
      return causesWhere(
        [
          !['virtio', 'usb', ''].includes(read.text(bus)),
          cause.wrong(`${at}.bus`, 'Input device can have only virtio or usb bus.'),
        ],
        [type !== 'tablet', cause.wrong(`${at}.type`, 'Input device can have only tablet type.')],
      )
    }),

  ioThreads(context) {
    const { ioThreadsPolicy, ioThreads } = parts.domain(context)
    if (ioThreadsPolicy === undefined) return []
    const policy = read.text(ioThreadsPolicy)
    const count = read.at(ioThreads, 'supplementalPoolThreadCount')
    const at = `${context.at}.domain`
    const message = 'the number of iothreads needs to be set and positive for the dedicated policy'
    return causesWhere(
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

  sound(context) {
    const { sound } = parts.devices(context)
    if (sound === undefined) return []
    const { model, name } = read.map(sound)
    return causesWhere(
      [
        !['', 'ich9', 'ac97'].includes(read.text(model)),
        cause.wrong(
          `${context.at}.Sound`,
          "Sound device type is not supported. Options: 'ich9' or 'ac97'",
        ),
      ],
      [
        read.text(name) === '',
        cause.wrong(`${context.at}.Sound`, 'Sound device requires a name field.'),
      ],
    )
  },

  video(context) {
    const { video, autoattachGraphicsDevice } = parts.devices(context)
    const message =
      'Video configuration is not allowed when autoattachGraphicsDevice is set to false'
    return causesWhere([
      video !== undefined && autoattachGraphicsDevice === false,
      cause.wrong(`${context.at}.video`, message),
    ])
  },

  panic(context) {
    const all = read.maps(parts.devices(context).panicDevices)
    const field = `${context.at}.domain.devices.panicDevices`
    return [
      ...causesWhere([
        all.length > 0 && context.spec.architecture === 's390x',
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

  ramFb: (context) =>
    causesWhere([
      read.maps(parts.devices(context).gpus).filter(hasRamFb).length > 1,
      cause.wrong(`${context.at}.GPUs`, 'configuring multiple displays with ramfb is not valid '),
    ]),

  hostDevices: (context) =>
    causesWhere([
      parts.devices(context).hostDevices !== undefined &&
        !context.config.isGateEnabled('HostDevices'),
      cause.wrong(
        `${context.at}.HostDevices`,
        'Host Devices feature gate is not enabled in kubevirt-config',
      ),
    ]),

  vsock: (context) =>
    causesWhere([
      parts.devices(context).autoattachVSOCK === true && !context.config.isGateEnabled('VSOCK'),
      cause.wrong(
        `${context.at}.domain.devices.autoattachVSOCK`,
        'VSOCK feature gate is not enabled in kubevirt-config',
      ),
    ]),

  downwardMetrics: (context) =>
    causesWhere([
      parts.devices(context).downwardMetrics !== undefined &&
        !context.config.isGateEnabled('DownwardMetrics'),
      cause.wrong(
        `${context.at}.domain.devices.downwardMetrics`,
        'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled',
      ),
    ]),

  filesystems(context) {
    if (context.config.isGateEnabled('EnableVirtioFsStorageVolumes')) return []
    const field = `${context.at}.domain.devices.filesystems`
    const stored = parts
      .volumes(context)
      .filter(
        ({ persistentVolumeClaim, dataVolume }) =>
          persistentVolumeClaim !== undefined || dataVolume !== undefined,
      )
    return read
      .maps(parts.devices(context).filesystems)
      .filter(({ name }) => stored.some((volume) => volume.name === name))
      .map(() =>
        cause.wrong(field, 'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC'),
      )
  },

  rebootPolicy: (context) =>
    causesWhere([
      parts.domain(context).rebootPolicy !== undefined &&
        !context.config.isGateEnabled('RebootPolicy'),
      cause.wrong(
        `${context.at}.domain.rebootPolicy`,
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
