import { Camera, Maximize2, Pencil, Plug, Trash2, Unplug } from '@lucide/vue'
import type { Component } from 'vue'
import type { VolumeRow } from '../../api/storage/volumes.ts'
import type { PlainMessage } from '../../i18n/active-locale.ts'

export type VolumeAction = keyof VolumeRow['refusals']

interface VolumeActionEntry {
  action: VolumeAction
  label: PlainMessage
  icon: Component
  permission: 'vms:write' | 'volumes:write'
}

/** The actions of a volume in the order of the menu. */
export const volumeActions: readonly VolumeActionEntry[] = [
  { action: 'attach', label: 'Attach', icon: Plug, permission: 'vms:write' },
  { action: 'detach', label: 'Detach', icon: Unplug, permission: 'vms:write' },
  { action: 'snapshot', label: 'Take snapshot', icon: Camera, permission: 'volumes:write' },
  { action: 'resize', label: 'Grow', icon: Maximize2, permission: 'volumes:write' },
  { action: 'rename', label: 'Rename', icon: Pencil, permission: 'volumes:write' },
  { action: 'delete', label: 'Delete', icon: Trash2, permission: 'volumes:write' },
]

/** Returns the actions to offer: either attach or detach, never both. */
export const actionsOf = (volume: VolumeRow): readonly VolumeActionEntry[] =>
  volumeActions.filter(
    ({ action }) => action !== (volume.refusals.detach === null ? 'attach' : 'detach'),
  )
