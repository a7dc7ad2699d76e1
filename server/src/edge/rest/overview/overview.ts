import { listResponse } from '../../../engine/rest/list-response.ts'
import { ResponseShape, added, hidden } from '../../../engine/rest/response-shape.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { component, list, object, oneOf } from '../../../engine/rest/json-schema.ts'

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
  recentVms: Recent[]
}

interface Recent {
  name: string
  type?: 'vm'
  path?: string
}

interface Hit {
  type: 'network' | 'security_group' | 'vm' | 'volume' | 'vpc'
  name: string
  path?: string
}

interface Notification {
  vmName: string
  path?: string
}

const total = { ...whole, description: 'All objects of this kind.' }

const count = component(
  { name: 'ObjectCount', description: 'How many objects of a kind the tenant has.' },
  object({ total }),
)

const vmCount = component(
  { name: 'VmCount', description: 'How many VMs the tenant has. A count of zero is left out.' },
  object({
    total,
    'running?': { ...whole, description: 'VMs that run.' },
    'error?': { ...whole, description: 'VMs that have failed.' },
  }),
)

const consolePath = {
  ...text,
  description: 'The path of the object in the console of older clients.',
}

/** The path of the object in the console of older clients. */
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

const recent = new ResponseShape<Recent>(
  { type: 'Vm', name: 'RecentVm' },
  {
    name: text,
    'display_name?': text,
    state: { schema: text, from: 'wireState' },
    'updated_at?': time,
    type: { schema: { ...text, description: 'Always `vm`.' }, from: null, before: 'name' },
    path: added(consolePath),
  },
  (row) => {
    row.type = 'vm'
    row.path = vmPath(row.name)
  },
)

const hit = new ResponseShape<Hit>(
  'SearchHit',
  {
    type: { schema: oneOf(...Object.keys(pathOf)), from: 'kind' },
    id,
    name: text,
    'subtitle?': { schema: text, from: 'detail' },
    path: added(consolePath),
  },
  (row) => {
    row.path = pathOf[row.type](row.name)
  },
)

const notification = new ResponseShape<Notification>(
  'Notification',
  {
    id: text,
    level: oneOf('error', 'warning'),
    title: text,
    message: text,
    vmName: hidden,
    'created_at?': { schema: time, from: 'since', before: null },
    'path?': added(consolePath),
  },
  (row) => {
    row.path = vmPath(row.vmName)
  },
)

function summaryOf({ vms, running, failed, health, recentVms, ...counts }: Counts): object {
  return {
    vms: { total: vms, running: running || undefined, error: failed || undefined },
    vpcs: { total: counts.vpcs },
    networks: { total: counts.networks },
    volumes: { total: counts.volumes },
    security_groups: { total: counts.securityGroups },
    health,
    recent_activity: recent.toWireAll(recentVms),
  }
}

export const overviewRoutes: RestRoute[] = [
  route<{ dashboard: Counts }>({
    method: 'GET',
    path: '/api/v1/dashboard/summary',
    summary: 'Get counts of the objects of the tenant',
    tag: 'Overview',
    run: `query GetDashboardSummary { dashboard { vms running: vmsRunning failed: vmsFailed vpcs networks volumes securityGroups health
      recentVms { ${recent.selection} } } }`,
    input: () => ({}),
    output: ({ dashboard }) => summaryOf(dashboard),
    status: 200,
    response: object({
      vms: vmCount,
      volumes: count,
      vpcs: count,
      networks: count,
      security_groups: count,
      health: {
        ...oneOf('ok', 'warning', 'critical'),
        description: 'The worst state of the VMs.',
      },
      recent_activity: { ...list(recent.schema), description: 'The VMs that changed last.' },
    }),
  }),
  route<{ search: Hit[] }>({
    method: 'GET',
    path: '/api/v1/search',
    summary: 'Search objects of the tenant by name and address',
    tag: 'Overview',
    run: `query Search($text: String!) { search(text: $text) { ${hit.selection} } }`,
    input: ({ query }) => ({ text: query['q'] ?? '' }),
    output: ({ search }) => ({ results: hit.toWireAll(search) }),
    status: 200,
    query: {
      q: {
        description: 'The text to search for. Fewer than two characters find nothing.',
        schema: { ...text, minLength: 0 },
      },
    },
    response: listResponse('SearchHit', 'results', hit.schema),
  }),
  route<{ notifications: Notification[] }>({
    method: 'GET',
    path: '/api/v1/notifications',
    summary: 'List VMs that have failed, are starting or are stopping',
    tag: 'Overview',
    run: `query ListNotifications { notifications { ${notification.selection} } }`,
    input: () => ({}),
    output: ({ notifications }) => ({ notifications: notification.toWireAll(notifications) }),
    status: 200,
    response: listResponse('Notification', 'notifications', notification.schema),
  }),
]
