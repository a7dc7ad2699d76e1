import {
  Camera,
  CircleArrowUp,
  Pencil,
  Plug,
  RotateCcw,
  Settings,
  SquareTerminal,
  Trash2,
  Unplug,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { FoundVm } from '../../api/search.ts'
import { type VmDeed, powerVerbNames, powerVerbs } from '../../api/vm/vm-verbs.ts'
import type { VmAction } from '../../api/vm/vms.ts'
import type { Entry } from './entry.ts'
import { refusalOf } from '../../format/refusal.ts'
import type { Message, PlainMessage } from '../../words/spoken.ts'
import { t } from '../../words/t.ts'

interface Way {
  /** Begins with the verb that people type. */
  says: Extract<Message, `${string} {name}`>
  icon: Component
  /** Other words that people begin with. */
  also?: PlainMessage
  permission?: 'vms:console'
  /** It is asked for here, else on this tab of the machine's page. */
  does: { deed: VmDeed } | { tab: string; begins?: true }
}

const otherWays = {
  openConsole: {
    says: 'Open console of {name}',
    icon: SquareTerminal,
    also: 'console serial vnc screen',
    permission: 'vms:console',
    does: { tab: 'console' },
  },
  snapshot: {
    says: 'Take snapshot of {name}',
    icon: Camera,
    also: 'snapshot',
    does: { tab: 'snapshots', begins: true },
  },
  restore: {
    says: 'Restore {name}',
    icon: RotateCcw,
    also: 'roll back',
    does: { tab: 'snapshots' },
  },
  attachVolume: {
    says: 'Attach volume to {name}',
    icon: Plug,
    also: 'disk',
    does: { tab: 'storage', begins: true },
  },
  detachVolume: {
    says: 'Detach volume from {name}',
    icon: Unplug,
    also: 'disk',
    does: { tab: 'storage' },
  },
  attachNetwork: {
    says: 'Attach network to {name}',
    icon: Plug,
    also: 'nic address',
    does: { tab: 'network', begins: true },
  },
  detachNetwork: {
    says: 'Detach network from {name}',
    icon: Unplug,
    also: 'nic address',
    does: { tab: 'network' },
  },
  ejectIso: {
    says: 'Eject ISO of {name}',
    icon: CircleArrowUp,
    also: 'cd disc image',
    does: { tab: 'storage' },
  },
  resize: {
    says: 'Resize {name}',
    icon: Settings,
    also: 'grow cpu memory',
    does: { tab: 'settings' },
  },
  rename: { says: 'Rename {name}', icon: Pencil, also: 'tags', does: { tab: 'settings' } },
  delete: { says: 'Delete {name}', icon: Trash2, also: 'remove destroy', does: { deed: 'delete' } },
} as const satisfies Partial<Record<VmAction, Way>>

// Object.fromEntries gives strings; the keys are the verbs.
const powerWays = Object.fromEntries(
  powerVerbNames.map((verb): [string, Way] => [
    verb,
    { ...powerVerbs[verb], does: { deed: verb } },
  ]),
) as Record<keyof typeof powerVerbs, Way>

const ways: Record<VmAction, Way> = { ...powerWays, ...otherWays }
// Object.keys gives strings; the table has no other keys than the actions.
const actions = Object.keys(ways) as readonly VmAction[]

// Whoever reads another language may have learnt the words in English.
const isBegunBy = ({ says, also }: Way, word: string): boolean =>
  `${t(says, { name: '' })} ${also ? t(also) : ''} ${says}`
    .toLowerCase()
    .split(' ')
    .some((each) => each.startsWith(word))

/**
 * “stop db” wants something of db: what is left when the first words say what. The whole text where
 * they do not.
 */
export function vmTextIn(text: string): string {
  const [first = '', ...rest] = text.trim().toLowerCase().split(/\s+/)
  const isVerb =
    rest.length > 0 && first.length > 1 && actions.some((action) => isBegunBy(ways[action], first))
  return isVerb ? rest.join(' ') : text.trim()
}

interface Means {
  whyNot: (permission: string, refusal?: string | null) => string | null
  deed: (vm: FoundVm, deed: VmDeed) => void
  go: (path: string, query: Record<string, string>) => void
}

/**
 * What can be done with the machines found: one deed with each where the text names it, else all
 * that the only one allows.
 */
export function vmEntries(vms: readonly FoundVm[], text: string, means: Means): Entry[] {
  const [first = ''] = text.trim().toLowerCase().split(/\s+/)
  const named = vmTextIn(text) === text.trim() ? null : first
  const meant = named || vms.length === 1 ? vms : vms.filter(({ name }) => name === text.trim())
  return meant.flatMap((vm) =>
    actions
      .filter((action) => named === null || isBegunBy(ways[action], named))
      .map((action) => entryFrom(vm, action, means))
      .filter(({ refusal }) => named !== null || !refusal),
  )
}

function entryFrom(vm: FoundVm, action: VmAction, { whyNot, deed, go }: Means): Entry {
  const { says, icon, does, permission = 'vms:write' } = ways[action]
  const refusal = whyNot(permission, refusalOf(vm.actions, action))
  const run = () =>
    'deed' in does
      ? deed(vm, does.deed)
      : go(`/vms/${vm.name}`, { tab: does.tab, ...(does.begins && { new: 'yes' }) })
  return {
    id: `${vm.id} ${action}`,
    group: 'Machines',
    label: t(says, { name: vm.name }),
    icon,
    refusal,
    run,
  }
}
