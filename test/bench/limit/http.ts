/*
 * The lower limit for the cost of a list: node:http, pg with prepared statements and
 * JSON.stringify. It has no authorization, no row level security (it connects as the superuser), no
 * validation and no paging, and it keeps the database's timestamps.
 */
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import pg from 'pg'
import { serveRequests } from '../process/channel.ts'
import { pageFiles } from './page.ts'

const rawTypes = { getTypeParser: () => (value: string) => value }

const restColumns = 'id, name, slug, namespace, state, external_uuid, import_source, created_at'
const graphColumns = `id, name, slug, namespace, description, state, state_reason->>'text' as "stateReason", external_uuid as "externalUuid",
  import_source as "importSource", version, created_at as "createdAt", updated_at as "updatedAt"`
const nics = `(select coalesce(json_agg(n), '[]') from (select nic.id, nic.ordinal, nic.kind, nic.mac, nic.vm_id as "vmId", nic.network_id as "networkId",
  host(nic.address) as address, network.name as "networkName", network.attachment_name as "attachmentName",
  network.attachment_namespace as "attachmentNamespace", network.vpc_id as "vpcId", host(network.gateway) as gateway, nic.leave_requested_at is not null as "isLeaving"
  from nic left join lateral (select * from network where id = nic.network_id limit 1) network on true
  where nic.vm_id = vm.id and nic.free_at is null order by nic.ordinal) n) as nics, observed_nics`
const vmColumns = `id, name, display_name as "displayName", state, state_since as "stateSince", wanted_power as "wantedPower", cpu,
  memory_mi as "memoryMi", template_id as "templateId", template_name as "templateName", service_offering_id as "serviceOfferingId",
  (select name from service_offering where id = vm.service_offering_id) as "serviceOfferingName", ip,
  (select mac from nic where vm_id = vm.id and free_at is null order by ordinal limit 1) as mac, tags, version,
  created_at as "createdAt", updated_at as "updatedAt", ${nics}`
const restVmColumns = `id, tenant_id, name, display_name, (select namespace from tenant where id = $2) as namespace, state, explanation as error_message,
  cpu, memory_mi, dedicated_cpu, image, template_name as template, template_id as template_ref, ip, ${nics},
  (select slug from tenant where id = $2) as zone, service_offering_id, wanted_power as power_state, tags, created_at, updated_at, 'KubeVirt' as hypervisor`
const namespace = '(select namespace from tenant where id = $2) as namespace'
const restVolumeColumns = `id, tenant_id, name, size_gi, ${namespace}, 'vol-' || id as pvc_name, state, created_at`
const restSnapshotColumns = `id, tenant_id, volume_id, name, ${namespace}, state, created_at`
const restVmSnapshotColumns = `id, tenant_id, vm_id, vm_name, name, ${namespace}, state as phase, created_at`
const present = 'where tenant_id = $2 and gone_at is null order by name, id limit $1'
const ofTenant = 'from vm where tenant_id = $2 and gone_at is null order by name, id limit $1'
const vmNamed = 'from vm where tenant_id = $2 and gone_at is null and name = $1'
const list = `from tenant where gone_at is null order by (slug <> 'default'), name, id limit $1`

const pool = new pg.Pool({
  connectionString: process.env['BENCH_DATABASE_URL'],
  max: 12,
  options: '-c timezone=UTC',
})

async function rows(name: string, text: string, ...values: unknown[]): Promise<unknown[]> {
  // Each statement sets its type parsers. In JSON only integers and JSON columns differ from text.
  const { rows } = await pool.query({
    name,
    text,
    values,
    types: name.startsWith('graph') ? graphTypes : rawTypes,
  })
  return rows
}

const asText = (value: string): string => value
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT4, Number],
  [pg.types.builtins.JSON, (text) => JSON.parse(text)],
])
const graphTypes = { getTypeParser: (type: number) => parsers.get(type) ?? asText }

interface VmRow {
  nics: { kind: string; mac: string; address: string | null; networkName: string | null }[]
  observed_nics?: unknown
}

/** Shapes NICs like the product's API. */
const graphVm = (row: VmRow): VmRow =>
  Object.assign(row, {
    nics: row.nics.map(({ mac, address, networkName }, index) => ({
      name: `nic${index}`,
      mac,
      address,
      networkName,
    })),
    observed_nics: undefined,
  })
const restVm = (row: VmRow): VmRow =>
  Object.assign(row, {
    nics: row.nics.map(({ mac, address }) => ({
      name: 'default',
      type: 'pod',
      ip: address ?? undefined,
      mac,
    })),
    observed_nics: undefined,
  })

async function vms(name: string, text: string, ...values: unknown[]): Promise<VmRow[]> {
  // The statements below select these columns.
  return (await rows(name, text, ...values)) as VmRow[]
}

const answers: Record<string, (value: string, tenant: string) => Promise<unknown>> = {
  '/rest/list': async (limit) => ({
    tenants: await rows('rest_list', `select ${restColumns} ${list}`, limit),
  }),
  '/rest/one': async (id) => ({
    tenant: (
      await rows(
        'rest_one',
        `select ${restColumns} from tenant where gone_at is null and id = $1`,
        id,
      )
    )[0],
  }),
  '/graph/vms': async (first, tenant) => ({
    data: {
      vms: {
        nodes: (await vms('graph_vms', `select ${vmColumns} ${ofTenant}`, first, tenant)).map(
          graphVm,
        ),
      },
    },
  }),
  '/rest/vms': async (limit, tenant) => ({
    vms: (await vms('graph_rest_vms', `select ${restVmColumns} ${ofTenant}`, limit, tenant)).map(
      restVm,
    ),
  }),
  '/rest/vm': async (name, tenant) => ({
    vm: (await vms('graph_rest_vm', `select ${restVmColumns} ${vmNamed}`, name, tenant)).map(
      restVm,
    )[0],
    velas_url: '',
  }),
  '/rest/volumes': async (limit, tenant) => ({
    volumes: await rows(
      'graph_rest_volumes',
      `select ${restVolumeColumns} from volume ${present}`,
      limit,
      tenant,
    ),
  }),
  '/rest/snapshots': async (limit, tenant) => ({
    snapshots: await rows(
      'graph_rest_snapshots',
      `select ${restSnapshotColumns} from volume_snapshot ${present}`,
      limit,
      tenant,
    ),
  }),
  '/rest/vm-snapshots': async (limit, tenant) => ({
    vm_snapshots: await rows(
      'graph_rest_vm_snapshots',
      `select ${restVmSnapshotColumns} from vm_snapshot ${present}`,
      limit,
      tenant,
    ),
  }),
  '/graph/list': async (first) => ({
    data: { tenants: { nodes: await rows('graph_list', `select ${graphColumns} ${list}`, first) } },
  }),
}

const server = createServer((request, response) => {
  const [path = '', value = ''] = (request.url ?? '').split('?')
  const file = pageFiles[path]?.()
  if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.text)
  void answers[path]?.(value, String(request.headers['x-tenant'] ?? '')).then((answer) => {
    const body = JSON.stringify(answer)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})

process.once('SIGTERM', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  // The address of a TCP server is an AddressInfo.
  serveRequests({ port: (server.address() as AddressInfo).port }, async () => null)
})
