import { Camera, Maximize2, Pencil, Plug, Trash2, Unplug } from '@lucide/vue'
import type { Component } from 'vue'
import type { VolumeRow } from '../../api/storage/volumes.ts'
import type { PlainMessage } from '../../words/spoken.ts'

export type Deed = keyof VolumeRow['refusals']

interface DeedLook {
  deed: Deed
  label: PlainMessage
  icon: Component
  permission: 'vms:write' | 'volumes:write'
}

/** What can be done with a volume, in the order in which it is offered. */
export const deeds: readonly DeedLook[] = [
  { deed: 'attach', label: 'Attach', icon: Plug, permission: 'vms:write' },
  { deed: 'detach', label: 'Detach', icon: Unplug, permission: 'vms:write' },
  { deed: 'snapshot', label: 'Take snapshot', icon: Camera, permission: 'volumes:write' },
  { deed: 'resize', label: 'Grow', icon: Maximize2, permission: 'volumes:write' },
  { deed: 'rename', label: 'Rename', icon: Pencil, permission: 'volumes:write' },
  { deed: 'delete', label: 'Delete', icon: Trash2, permission: 'volumes:write' },
]

/** Attaching and detaching exclude each other: one of them is offered. */
export const deedsOf = (volume: VolumeRow): readonly DeedLook[] =>
  deeds.filter(({ deed }) => deed !== (volume.refusals.detach === null ? 'attach' : 'detach'))
