import { ArrowRight, Building2, Keyboard, LogOut, Monitor, Moon, Plus, Sun } from '@lucide/vue'
import { type Ref, computed } from 'vue'
import { type RouteLocationRaw, useRouter } from 'vue-router'
import { type Theme, useTheme } from '../../composables/theme.ts'
import { type Console, useConsole } from '../../session/console.ts'
import { navGroups, overviewItem } from '../nav.ts'
import type { Entry } from './entry.ts'
import type { PlainMessage } from '../../words/spoken.ts'
import { t } from '../../words/t.ts'

interface Beginning {
  label: PlainMessage
  also?: PlainMessage
  to: RouteLocationRaw
  permission?: string
  root?: true
}

const begin = (path: string, query: Record<string, string> = {}) => ({
  path,
  query: { ...query, new: 'yes' },
})
const beginnings: readonly Beginning[] = [
  { label: 'Deploy machine', also: 'new vm create server', to: '/deploy', permission: 'vms:write' },
  { label: 'New volume', also: 'create disk', to: begin('/volumes'), permission: 'volumes:write' },
  {
    label: 'New network',
    also: 'create subnet',
    to: begin('/networks'),
    permission: 'networks:write',
  },
  { label: 'New VPC', also: 'create', to: begin('/vpcs'), permission: 'vpcs:write' },
  {
    label: 'New security group',
    also: 'create firewall',
    to: begin('/security-groups'),
    permission: 'security_groups:write',
  },
  {
    label: 'New VM snapshot',
    also: 'take machine',
    to: begin('/vm-snapshots'),
    permission: 'vms:write',
  },
  {
    label: 'New VM snapshot schedule',
    also: 'backup nightly cron',
    permission: 'vms:write',
    to: begin('/vm-snapshots', { show: 'schedules' }),
  },
  {
    label: 'New volume snapshot schedule',
    also: 'backup nightly cron',
    permission: 'volumes:write',
    to: begin('/snapshots', { show: 'schedules' }),
  },
  {
    label: 'New template',
    also: 'import iso image',
    to: begin('/templates'),
    permission: 'vms:write',
  },
  {
    label: 'New SSH key',
    also: 'create register',
    to: begin('/ssh-keys'),
    permission: 'ssh_keys:write',
  },
  {
    label: 'New user',
    also: 'create invite',
    to: begin('/access', { tab: 'users' }),
    permission: 'users:write',
  },
  {
    label: 'New role',
    also: 'create',
    to: begin('/access', { tab: 'roles' }),
    permission: 'users:write',
  },
  { label: 'New API key', also: 'create token', to: begin('/access', { tab: 'keys' }) },
  { label: 'New tenant', also: 'create customer', to: begin('/tenants'), root: true },
  { label: 'New offering', also: 'create size flavour', to: begin('/offerings'), root: true },
]

const themes = [
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
  { value: 'system', label: 'System theme', icon: Monitor },
] as const

const isOpenTo = (berth: Console, { permission, root }: Beginning): boolean =>
  (!root || berth.isRoot.value) && (!permission || berth.may(permission))

type Go = (to: RouteLocationRaw) => () => unknown

/** The palette's entries without a search text, as far as the user's role allows them. */
export function useStandingEntries({ help }: { help: () => void }) {
  const berth = useConsole()
  const router = useRouter()
  const { theme } = useTheme()
  const go: Go = (to) => () => router.push(to)
  return computed(() => [
    ...beginEntries(berth, go),
    ...pageEntries(berth, go),
    ...leaveEntry(berth),
    ...themeEntries(theme),
    ...consoleEntries(berth, go, help),
  ])
}

const beginEntries = (berth: Console, go: Go): Entry[] =>
  beginnings
    .filter((each) => isOpenTo(berth, each))
    .map(({ label, also, to }) => ({
      id: label,
      group: 'Begin',
      label: t(label),
      also: also ? t(also) : '',
      icon: Plus,
      run: go(to),
    }))

function pageEntries(berth: Console, go: Go): Entry[] {
  const groups = navGroups.filter(({ root }) => !root || berth.isRoot.value)
  const items = [overviewItem, ...groups.flatMap((group) => group.items)]
  return items.map(({ to, label, icon }) => ({
    id: to,
    group: 'Pages',
    label: t(label),
    icon,
    also: t('go to open page'),
    run: go(to),
  }))
}

/** Only while root acts in another tenant. */
function leaveEntry(berth: Console): Entry[] {
  const tenant = berth.visited.value
  if (!tenant) return []
  return [
    {
      id: 'leave',
      group: 'Console',
      label: t('Leave {name}', { name: tenant.name }),
      also: t('tenant'),
      icon: Building2,
      run: () => berth.actIn(null),
    },
  ]
}

const themeEntries = (theme: Ref<Theme>): Entry[] =>
  themes.map(({ value, label, icon }) => ({
    id: value,
    group: 'Console',
    label: t(label),
    also: t('colour mode'),
    icon,
    run: () => (theme.value = value),
  }))

const consoleEntries = (berth: Console, go: Go, help: () => void): Entry[] => [
  {
    id: 'running',
    group: 'Console',
    label: t('Running operations'),
    also: t('tasks'),
    icon: ArrowRight,
    run: go({ path: '/operations', query: { show: 'running' } }),
  },
  {
    id: 'keys',
    group: 'Console',
    label: t('Keyboard shortcuts'),
    also: t('help keys'),
    icon: Keyboard,
    run: help,
  },
  {
    id: 'logout',
    group: 'Console',
    label: t('Log out'),
    also: t('sign out leave'),
    icon: LogOut,
    run: () => berth.session.logout(),
  },
]
