import { type Schema } from '../../objects/resource.ts'
import { anything, each, int64, object, text, texts, flag } from '../../objects/schema.ts'

const dryRun = { dryRun: texts }

/** Schemas of request bodies, by virt-api's name of the options. */
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

type ResponseKind = 'nothing' | 'object' | 'machine' | 'picture' | 'stream'

/** A subresource call: its method, the options in its body, and the kind of its response. */
export interface Action {
  method: 'GET' | 'PUT'
  options: keyof typeof optionSchemas | null
  response: ResponseKind
}

const put = (takes: Action['options'] = null): Action => ({
  method: 'PUT',
  options: takes,
  response: 'nothing',
})
const get = (gives: ResponseKind): Action => ({ method: 'GET', options: null, response: gives })

/** The served subresources. Both the router and the OpenAPI document read this table. */
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
