import * as schemaTypes from '../../objects/schema.ts'
import { gpus, hostDevices, tpm, virtualGpuOptions } from './devices.ts'
import { blockSize, feature } from './disks.ts'
import {
  apic,
  cpuFeatures,
  efi,
  hiddenKvm,
  hugepages,
  hyperv,
  ioThreads,
  launchSecurity,
  numa,
  realtime,
  timers,
  utcOffset,
} from './domain.ts'

const { each, empty, flag, int, int32, int64, object, quantity, structOf, text, textMap, within } =
  schemaTypes

/**
 * Schema of the kinds for instance types, as KubeVirt's CRDs declare them. The namespaced and the
 * cluster-wide kind differ only in their scope.
 */
export const instancetype = object(
  {
    spec: object(
      {
        ...each(textMap, 'annotations', 'nodeSelector'),
        cpu: object(
          {
            ...each(flag, 'dedicatedCPUPlacement', 'isolateEmulatorThread'),
            ...each(int32, 'guest', 'maxSockets'),
            model: text,
            numa,
            realtime,
          },
          'guest',
        ),
        gpus,
        hostDevices,
        ioThreads,
        ...each(text, 'ioThreadsPolicy', 'schedulerName'),
        launchSecurity,
        memory: object(
          {
            ...each(quantity, 'guest', 'maxGuest'),
            hugepages,
            overcommitPercent: within(int, 0, 100),
          },
          'guest',
        ),
      },
      'cpu',
      'memory',
    ),
  },
  'spec',
)

const preferredDevices = object({
  ...each(
    flag,
    'preferredAutoattachGraphicsDevice',
    'preferredAutoattachInputDevice',
    'preferredAutoattachMemBalloon',
    'preferredAutoattachPodInterface',
    'preferredAutoattachSerialConsole',
    'preferredBlockMultiQueue',
    'preferredDisableHotplug',
    'preferredDiskDedicatedIoThread',
    'preferredNetworkInterfaceMultiQueue',
    'preferredUseVirtioTransitional',
  ),
  ...each(
    text,
    'preferredCdromBus',
    'preferredDiskBus',
    'preferredDiskCache',
    'preferredDiskIO',
    'preferredInputBus',
    'preferredInputType',
    'preferredInterfaceModel',
    'preferredLunBus',
    'preferredPanicDeviceModel',
    'preferredSoundModel',
    'preferredVideoType',
  ),
  ...each(empty, 'preferredInterfaceMasquerade', 'preferredRng'),
  preferredDiskBlockSize: blockSize,
  preferredTPM: tpm,
  preferredVirtualGPUOptions: virtualGpuOptions,
})

export const preference = object(
  {
    spec: object({
      annotations: textMap,
      clock: object({
        preferredClockOffset: object({ timezone: text, utc: utcOffset }),
        preferredTimer: timers,
      }),
      cpu: object({
        preferredCPUFeatures: cpuFeatures,
        preferredCPUTopology: text,
        spreadOptions: object({ across: text, ratio: int32 }),
      }),
      devices: preferredDevices,
      features: object({
        ...each(feature, 'preferredAcpi', 'preferredPvspinlock', 'preferredSmm'),
        preferredApic: apic,
        preferredHyperv: hyperv,
        preferredKvm: hiddenKvm,
      }),
      firmware: object({
        preferredEfi: efi,
        ...each(
          flag,
          'preferredUseBios',
          'preferredUseBiosSerial',
          'preferredUseEfi',
          'preferredUseSecureBoot',
        ),
      }),
      machine: structOf(text, 'preferredMachineType'),
      preferSpreadSocketToCoreRatio: int32,
      ...each(text, 'preferredArchitecture', 'preferredSubdomain'),
      preferredLaunchSecurity: launchSecurity,
      preferredTerminationGracePeriodSeconds: int64,
      requirements: object({
        architecture: text,
        cpu: object({ guest: int32 }, 'guest'),
        memory: object({ guest: quantity }, 'guest'),
      }),
      volumes: structOf(text, 'preferredStorageClassName'),
    }),
  },
  'spec',
)
