import { Boxes, Building2, HardDrive, Network, Server, ShieldCheck } from '@lucide/vue'
import { refDebounced } from '@vueuse/core'
import { type Ref, computed } from 'vue'
import { useRouter } from 'vue-router'
import { type FoundVm, type SearchAnswer, searchDocument } from '../../api/search.ts'
import type { VmCommand } from '../../api/vm/vm-verbs.ts'
import { useLiveRow } from '../../composables/live-row.ts'
import { type Console, useConsole } from '../../session/console.ts'
import type { Entry } from './entry.ts'
import { vmEntries, vmTextIn } from './vm-entries.ts'
import type { PlainMessage } from '../../i18n/active-locale.ts'
import { t } from '../../i18n/t.ts'

type Hit = SearchAnswer['search'][number]

const kinds: Record<
  Hit['kind'],
  { noun: PlainMessage; icon: Entry['icon']; to: (hit: Hit) => string }
> = {
  vm: { noun: 'Machine', icon: Server, to: ({ name }) => `/vms/${name}` },
  volume: { noun: 'Volume', icon: HardDrive, to: ({ id }) => `/volumes?volume=${id}` },
  network: { noun: 'Network', icon: Network, to: ({ id }) => `/networks?network=${id}` },
  vpc: { noun: 'VPC', icon: Boxes, to: ({ name }) => `/vpcs?search=${encodeURIComponent(name)}` },
  security_group: {
    noun: 'Security group',
    icon: ShieldCheck,
    to: ({ id }) => `/security-groups?group=${id}`,
  },
}
const minLetters = 2

const variablesFor = (berth: Console, text: string) =>
  text.length < minLetters
    ? null
    : { text, vm: vmTextIn(text), seesVms: berth.may('vms:read'), isRoot: berth.isRoot.value }

/**
 * Returns the rows that the server finds for the text, and the commands for VMs among them. Results
 * of an earlier text are never shown.
 */
export function useSearchEntries(
  typed: Ref<string>,
  command: (vm: FoundVm, command: VmCommand) => void,
) {
  const berth = useConsole()
  const router = useRouter()
  const text = computed(() => typed.value.trim())
  const settled = refDebounced(text, 150)
  const answer = useLiveRow({
    document: searchDocument,
    variables: computed(() => variablesFor(berth, settled.value)),
    pick: (found) => found,
    kinds: ['vm', 'volume', 'network', 'vpc', 'security_group', 'tenant'],
  })
  const waits = computed(
    () =>
      text.value.length >= minLetters && (settled.value !== text.value || answer.fetching.value),
  )

  const hitEntries = (hits: readonly Hit[]): Entry[] =>
    hits.map((hit) => {
      const { noun, icon, to } = kinds[hit.kind]
      const hint = [t(noun), hit.detail].filter(Boolean).join(' · ')
      return {
        id: hit.id,
        group: 'Found',
        label: hit.name,
        hint,
        icon,
        run: () => router.push(to(hit)),
      }
    })
  const tenantEntries = (tenants: NonNullable<SearchAnswer['tenants']>['nodes']): Entry[] =>
    tenants.map(({ id, name, slug }) => {
      const chosen = id === berth.viewer.value?.homeTenantId ? null : id
      return {
        id,
        group: 'Found',
        label: t('Act in {name}', { name }),
        hint: `${t('Tenant')} · ${slug}`,
        icon: Building2,
        run: () => berth.actIn(chosen),
      }
    })
  const entries = computed((): Entry[] => {
    const found = answer.row.value
    if (!found || waits.value || text.value.length < minLetters) return []
    const handlers = {
      whyNot: (permission: string, refusal?: string | null) => berth.whyNot(permission, refusal),
      command,
      go: (path: string, query: Record<string, string>) => router.push({ path, query }),
    }
    const vms = vmEntries(found.vms?.nodes ?? [], text.value, handlers)
    return [...hitEntries(found.search), ...tenantEntries(found.tenants?.nodes ?? []), ...vms]
  })
  return { entries, waits, fault: answer.fault }
}
