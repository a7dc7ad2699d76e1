import {
  ArrowRight,
  BookOpen,
  Building2,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Sun,
} from '@lucide/vue'
import { type Ref, computed } from 'vue'
import { type RouteLocationRaw, useRouter } from 'vue-router'
import { type Theme, useTheme } from '../../composables/theme.ts'
import { type Console, useConsole } from '../../session/console.ts'
import { navGroups, overviewItem, pageCommands } from '../nav.ts'
import { openApiDocs } from '../api-docs.ts'
import type { Entry } from './entry.ts'
import { t } from '../../i18n/t.ts'

const themes = [
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
  { value: 'system', label: 'System theme', icon: Monitor },
] as const

type Go = (to: RouteLocationRaw) => () => unknown

/** Returns the entries that need no search: pages and commands that the user's role allows. */
export function useDefaultEntries({ help }: { help: () => void }) {
  const berth = useConsole()
  const router = useRouter()
  const { theme } = useTheme()
  const go: Go = (to) => () => router.push(to)
  return computed(() => [
    ...commandEntries(berth, go),
    ...pageEntries(berth, go),
    ...leaveEntry(berth),
    ...themeEntries(theme),
    ...consoleEntries(berth, go, help),
  ])
}

const commandEntries = (berth: Console, go: Go): Entry[] =>
  pageCommands
    .filter(({ root }) => !root || berth.isRoot.value)
    .filter(({ permission }) => !permission || berth.may(permission))
    .map(({ label, keywords, path, query = { new: 'yes' } }) => ({
      id: label,
      group: 'Begin',
      label: t(label),
      keywords: t(keywords),
      icon: Plus,
      run: go({ path, query }),
    }))

function pageEntries(berth: Console, go: Go): Entry[] {
  const groups = navGroups.filter(({ root }) => !root || berth.isRoot.value)
  const items = [overviewItem, ...groups.flatMap((group) => group.items)]
  return items.map(({ to, label, icon }) => ({
    id: to,
    group: 'Pages',
    label: t(label),
    icon,
    keywords: t('go to open page'),
    run: go(to),
  }))
}

/** Returns an entry only while root acts in another tenant. */
function leaveEntry(berth: Console): Entry[] {
  const tenant = berth.actingTenant.value
  if (!tenant) return []
  return [
    {
      id: 'leave',
      group: 'Console',
      label: t('Leave {name}', { name: tenant.name }),
      keywords: t('tenant'),
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
    keywords: t('colour mode'),
    icon,
    run: () => (theme.value = value),
  }))

const consoleEntries = (berth: Console, go: Go, help: () => void): Entry[] => [
  {
    id: 'running',
    group: 'Console',
    label: t('Running operations'),
    keywords: t('tasks'),
    icon: ArrowRight,
    run: go({ path: '/operations', query: { show: 'running' } }),
  },
  {
    id: 'api',
    group: 'Console',
    label: t('REST API docs'),
    keywords: t('openapi reference developer'),
    icon: BookOpen,
    run: openApiDocs,
  },
  {
    id: 'keys',
    group: 'Console',
    label: t('Keyboard shortcuts'),
    keywords: t('help keys'),
    icon: Keyboard,
    run: help,
  },
  {
    id: 'logout',
    group: 'Console',
    label: t('Log out'),
    keywords: t('sign out leave'),
    icon: LogOut,
    run: () => berth.session.logout(),
  },
]
