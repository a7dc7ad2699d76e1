import * as schemaTypes from '../../objects/schema.ts'
import { disk, feature } from './disks.ts'

/*
 * Schemas of the devices in `spec.domain.devices` of a VMI. The kinds VM, VMI, instance type and
 * preference share them.
 */
const { atMost, atomicList, each, empty, flag, int, int32, list, object, structOf, text, texts } =
  schemaTypes

const networkInterface = object(
  {
    ...each(text, 'name', 'macAddress', 'model', 'pciAddress', 'state', 'tag'),
    ...each(int, 'acpiIndex', 'bootOrder'),
    ...each(empty, 'bridge', 'macvtap', 'masquerade', 'passt', 'passtBinding', 'slirp', 'sriov'),
    binding: object({ name: text }, 'name'),
    dhcpOptions: object({
      ...each(text, 'bootFileName', 'tftpServerName'),
      ntpServers: texts,
      privateOptions: list(object({ option: int, value: text }, 'option', 'value')),
    }),
    portRanges: atomicList(
      object({ ...each(int32, 'start', 'end'), protocol: text }, 'end', 'protocol', 'start'),
    ),
    ports: list(object({ ...each(text, 'name', 'protocol'), port: int32 }, 'port')),
  },
  'name',
)

const claimedDevice = each(text, 'claimName', 'deviceName', 'name', 'requestName', 'tag')

export const virtualGpuOptions = object({ display: object({ enabled: flag, ramFB: feature }) })
export const gpus = atomicList(
  object({ ...claimedDevice, virtualGPUOptions: virtualGpuOptions }, 'name'),
)
export const hostDevices = atomicList(object(claimedDevice, 'name'))
export const tpm = structOf(flag, 'enabled', 'persistent')
export const typed = structOf(text, 'type')

const watchdogAction = structOf(text, 'action')

export const devices = object({
  ...each(
    flag,
    'autoattachGraphicsDevice',
    'autoattachInputDevice',
    'autoattachMemBalloon',
    'autoattachPodInterface',
    'autoattachSerialConsole',
    'autoattachVSOCK',
    'blockMultiQueue',
    'disableHotplug',
    'logSerialConsole',
    'networkInterfaceMultiqueue',
    'useVirtioTransitional',
  ),
  ...each(empty, 'clientPassthrough', 'downwardMetrics', 'rng'),
  disks: atMost(256, list(disk)),
  interfaces: atMost(256, list(networkInterface)),
  filesystems: atomicList(object({ name: text, virtiofs: empty }, 'name', 'virtiofs')),
  gpus,
  hostDevices,
  inputs: list(object(each(text, 'bus', 'name', 'type'), 'name', 'type')),
  panicDevices: list(structOf(text, 'model')),
  sound: object(each(text, 'model', 'name'), 'name'),
  tpm,
  video: typed,
  watchdog: object({ name: text, diag288: watchdogAction, i6300esb: watchdogAction }, 'name'),
})
