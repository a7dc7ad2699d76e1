import {
  Check,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Square,
  StepForward,
  Undo2,
  Zap,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { Message, PlainMessage } from '../../i18n/active-locale.ts'
import { graphql } from '../graphql.ts'

interface PowerVerbEntry {
  /** Its payload has the VM and the new operation. */
  document: unknown
  announcement: Extract<Message, `{name} ${string}`>
  label: PlainMessage
  icon: Component
  /** The palette's line. It begins with the verb that users type. */
  paletteLabel: Extract<Message, `${string} {name}`>
  /** Other words that users type for it. */
  keywords?: PlainMessage
}

/**
 * The verbs of a VM without other input, in the order of the menu. The menu, the palette and toasts
 * use them.
 */
export const powerVerbs = {
  start: {
    document: graphql(`
      mutation StartVm($id: ID!) {
        payload: startVm(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is starting.',
    label: 'Start',
    icon: Play,
    paletteLabel: 'Start {name}',
    keywords: 'boot power on',
  },
  stop: {
    document: graphql(`
      mutation StopVm($id: ID!) {
        payload: stopVm(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is shutting down.',
    label: 'Stop',
    icon: Square,
    paletteLabel: 'Stop {name}',
    keywords: 'shut down power off halt',
  },
  retry: {
    document: graphql(`
      mutation RetryVm($id: ID!) {
        payload: retryVm(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is being deployed again.',
    label: 'Retry deploy',
    icon: RotateCcw,
    paletteLabel: 'Retry deploy of {name}',
    keywords: 'repeat failed',
  },
  restart: {
    document: graphql(`
      mutation RestartVm($id: ID!) {
        payload: restartVm(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is restarting.',
    label: 'Restart',
    icon: RotateCw,
    paletteLabel: 'Restart {name}',
    keywords: 'reboot',
  },
  pause: {
    document: graphql(`
      mutation PauseVm($id: ID!) {
        payload: pauseVm(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is being paused.',
    label: 'Pause',
    icon: Pause,
    paletteLabel: 'Pause {name}',
  },
  resume: {
    document: graphql(`
      mutation ResumeVm($id: ID!) {
        payload: resumeVm(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} goes on.',
    label: 'Resume',
    icon: StepForward,
    paletteLabel: 'Resume {name}',
    keywords: 'unpause',
  },
  forceStop: {
    document: graphql(`
      mutation ForceStopVm($id: ID!) {
        payload: stopVm(input: { id: $id, force: true }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is being switched off.',
    label: 'Stop by force',
    icon: Zap,
    paletteLabel: 'Stop by force {name}',
    keywords: 'force kill',
  },
  revertDrift: {
    document: graphql(`
      mutation RevertVmDrift($id: ID!) {
        payload: revertVmDrift(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} is being reverted.',
    label: 'Revert change',
    icon: Undo2,
    paletteLabel: 'Revert change of {name}',
    keywords: 'drift restore outside',
  },
  acceptDrift: {
    document: graphql(`
      mutation AcceptVmDrift($id: ID!) {
        payload: acceptVmDrift(input: { id: $id }) {
          vm {
            id
            state
          }
          operation {
            id
          }
        }
      }
    `),
    announcement: '{name} keeps the change.',
    label: 'Accept change',
    icon: Check,
    paletteLabel: 'Accept change of {name}',
    keywords: 'drift keep outside',
  },
} as const satisfies Record<string, PowerVerbEntry>

export const deleteVmDocument = graphql(`
  mutation DeleteVm($id: ID!) {
    payload: deleteVm(input: { id: $id }) {
      vm {
        id
        state
      }
      operation {
        id
      }
    }
  }
`)

type PowerVerb = keyof typeof powerVerbs
export type VmCommand = PowerVerb | 'delete'
// Object.keys returns strings; the table has no other keys than its verbs.
export const powerVerbNames = Object.keys(powerVerbs) as readonly PowerVerb[]
