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
import { type VmCommand, powerVerbNames, powerVerbs } from '../../api/vm/vm-verbs.ts'
import type { VmAction } from '../../api/vm/vms.ts'
import type { Entry } from './entry.ts'
import { refusalOf } from '../../format/refusal.ts'
import type { Message, PlainMessage } from '../../i18n/active-locale.ts'
import { t } from '../../i18n/t.ts'

interface EntryTemplate {
  /** Begins with the verb that users type. */
  paletteLabel: Extract<Message, `${string} {name}`>
  icon: Component
  /** Further words that users may begin with. */
  keywords?: PlainMessage
  permission?: 'vms:console'
  /**
   * Runs a command here, or opens a tab of the VM's page, with a dialog when `opensDialog` is set.
   */
  does: { command: VmCommand } | { tab: string; opensDialog?: true }
}

const otherTemplates = {
  openConsole: {
    paletteLabel: 'Open console of {name}',
    icon: SquareTerminal,
    keywords: 'console serial vnc screen',
    permission: 'vms:console',
    does: { tab: 'console' },
  },
  snapshot: {
    paletteLabel: 'Take snapshot of {name}',
    icon: Camera,
    keywords: 'snapshot',
    does: { tab: 'snapshots', opensDialog: true },
  },
  restore: {
    paletteLabel: 'Restore {name}',
    icon: RotateCcw,
    keywords: 'roll back',
    does: { tab: 'snapshots' },
  },
  attachVolume: {
    paletteLabel: 'Attach volume to {name}',
    icon: Plug,
    keywords: 'disk',
    does: { tab: 'storage', opensDialog: true },
  },
  detachVolume: {
    paletteLabel: 'Detach volume from {name}',
    icon: Unplug,
    keywords: 'disk',
    does: { tab: 'storage' },
  },
  attachNetwork: {
    paletteLabel: 'Attach network to {name}',
    icon: Plug,
    keywords: 'nic address',
    does: { tab: 'network', opensDialog: true },
  },
  detachNetwork: {
    paletteLabel: 'Detach network from {name}',
    icon: Unplug,
    keywords: 'nic address',
    does: { tab: 'network' },
  },
  ejectIso: {
    paletteLabel: 'Eject ISO of {name}',
    icon: CircleArrowUp,
    keywords: 'cd disc image',
    does: { tab: 'storage' },
  },
  resize: {
    paletteLabel: 'Resize {name}',
    icon: Settings,
    keywords: 'grow cpu memory',
    does: { tab: 'settings' },
  },
  rename: {
    paletteLabel: 'Rename {name}',
    icon: Pencil,
    keywords: 'tags',
    does: { tab: 'settings' },
  },
  delete: {
    paletteLabel: 'Delete {name}',
    icon: Trash2,
    keywords: 'remove destroy',
    does: { command: 'delete' },
  },
} as const satisfies Partial<Record<VmAction, EntryTemplate>>

// Object.fromEntries returns strings; the keys are the verbs.
const powerTemplates = Object.fromEntries(
  powerVerbNames.map((verb): [string, EntryTemplate] => [
    verb,
    { ...powerVerbs[verb], does: { command: verb } },
  ]),
) as Record<keyof typeof powerVerbs, EntryTemplate>

const templates: Record<VmAction, EntryTemplate> = { ...powerTemplates, ...otherTemplates }
// Object.keys returns strings; the table has no other keys than the actions.
const actions = Object.keys(templates) as readonly VmAction[]

// The English words match in every language, because many users know them.
const matchesVerb = ({ paletteLabel, keywords }: EntryTemplate, word: string): boolean =>
  `${t(paletteLabel, { name: '' })} ${keywords ? t(keywords) : ''} ${paletteLabel}`
    .toLowerCase()
    .split(' ')
    .some((each) => each.startsWith(word))

/**
 * Returns the part of the text that names a VM: `db` for “stop db”. Without a leading verb it is
 * the whole text.
 */
export function vmTextIn(text: string): string {
  const [first = '', ...rest] = text.trim().toLowerCase().split(/\s+/)
  const isVerb =
    rest.length > 0 &&
    first.length > 1 &&
    actions.some((action) => matchesVerb(templates[action], first))
  return isVerb ? rest.join(' ') : text.trim()
}

interface Handlers {
  whyNot: (permission: string, refusal?: string | null) => string | null
  command: (vm: FoundVm, command: VmCommand) => void
  go: (path: string, query: Record<string, string>) => void
}

/**
 * Returns the commands for the VMs found. A verb in the text offers that command for each of them;
 * without a verb, a single match offers every action it allows.
 */
export function vmEntries(vms: readonly FoundVm[], text: string, handlers: Handlers): Entry[] {
  const [first = ''] = text.trim().toLowerCase().split(/\s+/)
  const named = vmTextIn(text) === text.trim() ? null : first
  const matches = named || vms.length === 1 ? vms : vms.filter(({ name }) => name === text.trim())
  return matches.flatMap((vm) =>
    actions
      .filter((action) => named === null || matchesVerb(templates[action], named))
      .map((action) => entryFrom(vm, action, handlers))
      .filter(({ refusal }) => named !== null || !refusal),
  )
}

function entryFrom(vm: FoundVm, action: VmAction, { whyNot, command, go }: Handlers): Entry {
  const { paletteLabel, icon, does, permission = 'vms:write' } = templates[action]
  const refusal = whyNot(permission, refusalOf(vm.actions, action))
  const run = () =>
    'command' in does
      ? command(vm, does.command)
      : go(`/vms/${vm.name}`, { tab: does.tab, ...(does.opensDialog && { new: 'yes' }) })
  return {
    id: `${vm.id} ${action}`,
    group: 'VMs',
    label: t(paletteLabel, { name: vm.name }),
    icon,
    refusal,
    run,
  }
}
