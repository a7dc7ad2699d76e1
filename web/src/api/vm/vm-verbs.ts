import { Pause, Play, RotateCw, Square, StepForward, Zap } from '@lucide/vue'
import type { Component } from 'vue'
import type { Message, PlainMessage } from '../../words/spoken.ts'
import { graphql } from '../graphql.ts'

interface PowerVerbLook {
  /** Answers with the VM and the operation that was opened. */
  document: unknown
  announcement: Extract<Message, `{name} ${string}`>
  label: PlainMessage
  icon: Component
  /** The palette's line; it begins with the verb that users type. */
  says: Extract<Message, `${string} {name}`>
  /** Other words that users begin with. */
  also?: PlainMessage
}

/** Each power verb on a VM, in the order of the menu: menu, palette and announcement read it. */
export const powerVerbs = {
  start: {
    document: graphql(`
      mutation StartVm($id: ID!) {
        deed: startVm(input: { id: $id }) {
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
    says: 'Start {name}',
    also: 'boot power on',
  },
  stop: {
    document: graphql(`
      mutation StopVm($id: ID!) {
        deed: stopVm(input: { id: $id }) {
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
    says: 'Stop {name}',
    also: 'shut down power off halt',
  },
  restart: {
    document: graphql(`
      mutation RestartVm($id: ID!) {
        deed: restartVm(input: { id: $id }) {
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
    says: 'Restart {name}',
    also: 'reboot',
  },
  pause: {
    document: graphql(`
      mutation PauseVm($id: ID!) {
        deed: pauseVm(input: { id: $id }) {
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
    says: 'Pause {name}',
  },
  resume: {
    document: graphql(`
      mutation ResumeVm($id: ID!) {
        deed: resumeVm(input: { id: $id }) {
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
    says: 'Resume {name}',
    also: 'unpause',
  },
  forceStop: {
    document: graphql(`
      mutation ForceStopVm($id: ID!) {
        deed: stopVm(input: { id: $id, force: true }) {
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
    says: 'Stop by force {name}',
    also: 'force kill',
  },
} as const satisfies Record<string, PowerVerbLook>

export const deleteVm = graphql(`
  mutation DeleteVm($id: ID!) {
    deed: deleteVm(input: { id: $id }) {
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
export type VmDeed = PowerVerb | 'delete'
// Object.keys gives strings; the table has no other keys than its verbs.
export const powerVerbNames = Object.keys(powerVerbs) as readonly PowerVerb[]
