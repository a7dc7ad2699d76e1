import { type Schema } from '../../objects/resource.ts'
import { anything, each, int64, object, text, texts, flag } from '../../objects/schema.ts'

const dryRun = { dryRun: texts }

/** What the bodies of calls are read for, by what virt-api calls them. */
export const optionSchemas = {
  StartOptions: object({ ...dryRun, paused: flag }),
  StopOptions: object({ ...dryRun, gracePeriod: int64 }),
  RestartOptions: object({ ...dryRun, gracePeriodSeconds: int64 }),
  MigrateOptions: object(dryRun),
  PauseOptions: object(dryRun),
  UnpauseOptions: object(dryRun),
  EvacuateCancelOptions: object(dryRun),
  FreezeUnfreezeTimeout: object({ unfreezeTimeout: text }),
  AddVolumeOptions: object(
    { ...dryRun, name: text, ...each(anything, 'disk', 'volumeSource') },
    'name',
    'disk',
    'volumeSource',
  ),
  RemoveVolumeOptions: object({ ...dryRun, name: text }, 'name'),
  VirtualMachineMemoryDumpRequest: object({ claimName: text }),
} satisfies Record<string, Schema>

type Gives = 'nothing' | 'object' | 'machine' | 'picture' | 'stream'

/** One thing that is done with or told of an object. */
export interface Action {
  method: 'GET' | 'PUT'
  takes: keyof typeof optionSchemas | null
  gives: Gives
}

const put = (takes: Action['takes'] = null): Action => ({ method: 'PUT', takes, gives: 'nothing' })
const get = (gives: Gives): Action => ({ method: 'GET', takes: null, gives })

/** What is served: routed by this table, and described by it. */
export const actions = {
  'virtualmachines/start': put('StartOptions'),
  'virtualmachines/stop': put('StopOptions'),
  'virtualmachines/restart': put('RestartOptions'),
  'virtualmachines/migrate': put('MigrateOptions'),
  'virtualmachines/expand-spec': get('machine'),
  'virtualmachines/memorydump': put('VirtualMachineMemoryDumpRequest'),
  'virtualmachines/removememorydump': put(),
  'virtualmachines/addvolume': put('AddVolumeOptions'),
  'virtualmachines/removevolume': put('RemoveVolumeOptions'),
  'virtualmachines/portforward': get('stream'),
  'virtualmachineinstances/addvolume': put('AddVolumeOptions'),
  'virtualmachineinstances/removevolume': put('RemoveVolumeOptions'),
  'virtualmachineinstances/pause': put('PauseOptions'),
  'virtualmachineinstances/unpause': put('UnpauseOptions'),
  'virtualmachineinstances/softreboot': put(),
  'virtualmachineinstances/reset': put(),
  'virtualmachineinstances/freeze': put('FreezeUnfreezeTimeout'),
  'virtualmachineinstances/unfreeze': put(),
  'virtualmachineinstances/evacuate/cancel': put('EvacuateCancelOptions'),
  'virtualmachineinstances/console': get('stream'),
  'virtualmachineinstances/vnc': get('stream'),
  'virtualmachineinstances/vnc/screenshot': get('picture'),
  'virtualmachineinstances/portforward': get('stream'),
  'virtualmachineinstances/usbredir': get('stream'),
  'virtualmachineinstances/vsock': get('stream'),
  'virtualmachineinstances/guestosinfo': get('object'),
  'virtualmachineinstances/userlist': get('object'),
  'virtualmachineinstances/filesystemlist': get('object'),
} satisfies Record<string, Action>

export type ActionName = keyof typeof actions
