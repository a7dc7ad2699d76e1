import { withoutNulls } from '../../../engine/rest/input.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'

const { id, text, time, whole } = scalar

interface Counts {
  vms: number
  running: number
  failed: number
  vpcs: number
  networks: number
  volumes: number
  securityGroups: number
  health: string
  recentVms: { name: string }[]
}

interface Hit {
  type: 'network' | 'security_group' | 'vm' | 'volume' | 'vpc'
  name: string
  subtitle: string | null | undefined
}

const total = object({ total: whole })

/** Where the console of older clients shows what was found. */
const pathOf: Readonly<Record<Hit['type'], (name: string) => string>> = {
  network: () => '/networks',
  security_group: () => '/security-groups',
  vm: vmPath,
  volume: () => '/volumes',
  vpc: () => '/vpcs',
}

function vmPath(name: string): string {
  return `/vms/${name}`
}

function summaryOf({ vms, running, failed, health, recentVms, ...counts }: Counts): object {
  return {
    vms: { total: vms, running: running || undefined, error: failed || undefined },
    vpcs: { total: counts.vpcs },
    networks: { total: counts.networks },
    volumes: { total: counts.volumes },
    security_groups: { total: counts.securityGroups },
    health,
    recent_activity: recentVms.map((vm) => ({ ...vm, type: 'vm', path: vmPath(vm.name) })),
  }
}

export const overviewRoutes: RestRoute[] = [
  route<{ dashboard: Counts }>({
    method: 'GET',
    path: '/api/v1/dashboard/summary',
    summary: 'What the tenant has, at a glance',
    tag: 'Overview',
    run: `query DashboardSummary { dashboard { vms running: vmsRunning failed: vmsFailed vpcs networks volumes securityGroups health
      recentVms { name display_name: displayName state: wireState updated_at: updatedAt } } }`,
    input: () => ({}),
    output: ({ dashboard }) => summaryOf(dashboard),
    status: 200,
    response: object({
      vms: object({ total: whole, 'running?': whole, 'error?': whole }),
      volumes: total,
      vpcs: total,
      networks: total,
      security_groups: total,
      health: oneOf('ok', 'warning', 'critical'),
      recent_activity: list(
        object({
          type: text,
          name: text,
          'display_name?': text,
          state: text,
          'updated_at?': time,
          path: text,
        }),
      ),
    }),
  }),
  route<{ search: Hit[] }>({
    method: 'GET',
    path: '/api/v1/search',
    summary: 'Find things of the tenant by their names and addresses',
    tag: 'Overview',
    run: `query Search($text: String!) { search(text: $text) { type: kind id name subtitle: detail } }`,
    input: ({ query }) => ({ text: query.get('q') ?? '' }),
    output: ({ search }) => ({
      results: withoutNulls(search, 'subtitle').map((hit) => ({
        ...hit,
        path: pathOf[hit.type](hit.name),
      })),
    }),
    status: 200,
    query: { q: { description: 'Two letters at least.', schema: text } },
    response: object({
      results: list(
        object({
          type: oneOf(...Object.keys(pathOf)),
          id,
          name: text,
          'subtitle?': text,
          path: text,
        }),
      ),
    }),
  }),
  route<{ notifications: { vmName: string }[] }>({
    method: 'GET',
    path: '/api/v1/notifications',
    summary: 'What the tenant may want to look at',
    tag: 'Overview',
    run: `query Notifications { notifications { id level title message vmName created_at: since } }`,
    input: () => ({}),
    output: ({ notifications }) => ({
      notifications: notifications.map(({ vmName, ...told }) => ({
        ...told,
        path: vmPath(vmName),
      })),
    }),
    status: 200,
    response: object({
      notifications: list(
        object({
          id: text,
          level: oneOf('error', 'warning'),
          title: text,
          message: text,
          'path?': text,
          'created_at?': time,
        }),
      ),
    }),
  }),
]
