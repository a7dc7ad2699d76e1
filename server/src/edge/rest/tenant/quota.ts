import { RequestBody, type RequestField } from '../../../engine/rest/request-body.ts'
import { camelCase } from '../../../engine/rest/field-table.ts'
import { component, object, orNull } from '../../../engine/rest/json-schema.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { type RestRoute, type Versioned, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'

const { number, whole } = scalar

/** The limited resources, each with what its limit counts. */
const resources: Readonly<Record<string, { description: string }>> = {
  vms: { description: 'VMs.' },
  vcpus: { description: 'vCPUs of the VMs.' },
  memory_mi: { description: 'Memory of the VMs in MiB.' },
  storage_gi: { description: 'Storage of root disks, ISOs and volumes in GiB.' },
  volumes: { description: 'Volumes.' },
  snapshots: { description: 'Snapshots of volumes and of VMs together.' },
  vpcs: { description: 'VPCs.' },
  networks: { description: 'Networks.' },
  public_addresses: { description: 'Addresses of the public network.' },
}

const eachResource = <Value>(
  valueOf: (name: string, words: { description: string }) => Value,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(resources).map(([name, words]) => [name, valueOf(name, words)]))

const usage = new ResponseShape('QuotaUsage', { limit: orNull(whole), used: number })

const quota = component(
  { name: 'Quota', description: 'The limits of a tenant, and how much of them it uses.' },
  object(eachResource((_, words) => ({ ...usage.schema, ...words }))),
)

const response = component(
  { name: 'QuotaResult', description: 'The quota of a tenant.' },
  object({ quota }),
)

const limits = new RequestBody(
  Object.fromEntries(
    Object.entries(resources).map(([name, words]): [string, RequestField] => [
      `${name}?`,
      { schema: { ...whole, minimum: 0, ...words }, cleared: null },
    ]),
  ),
)

const selection = 'quota { resource limit used }'

interface WithQuota {
  quota: readonly { resource: string; limit: number | null; used: number }[]
}

const wireQuota = ({ quota }: WithQuota): object => ({
  quota: eachResource((name) => {
    const { limit, used } = quota.find(({ resource }) => resource === camelCase(name)) ?? {
      limit: null,
      used: 0,
    }
    return { limit, used }
  }),
})

export const quotaRoutes: RestRoute[] = [
  route<{ viewer: { tenant: WithQuota } }>({
    method: 'GET',
    path: '/api/v1/quota',
    summary: 'Get the limits of the tenant in which the caller acts, and how much of them it uses',
    tag: 'Tenants',
    run: `query GetQuota { viewer { tenant { ${selection} } } }`,
    input: () => ({}),
    output: ({ viewer }) => wireQuota(viewer.tenant),
    status: 200,
    response,
  }),
  route<{ answer: WithQuota & Versioned }>({
    method: 'GET',
    path: '/api/v1/tenants/{id}/quota',
    summary: 'Get the limits of a tenant, and how much of them it uses',
    tag: 'Tenants',
    run: `query GetTenantQuota($id: ID!) { answer: tenant(id: $id) { version ${selection} } }`,
    input: ({ params }) => ({ id: params['id'] }),
    versionOf: ({ answer }) => answer.version,
    output: ({ answer }) => wireQuota(answer),
    status: 200,
    response,
  }),
  route<{ answer: { tenant: WithQuota & Versioned } }>({
    method: 'PATCH',
    path: '/api/v1/tenants/{id}/quota',
    summary: 'Change the limits of a tenant',
    tag: 'Tenants',
    run: `mutation UpdateTenantQuota($input: UpdateTenantQuotaInput!) {
      answer: updateTenantQuota(input: $input) { tenant { version ${selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params['id'], ...body } }),
    takesVersion: true,
    versionOf: ({ answer }) => answer.tenant.version,
    output: ({ answer }) => wireQuota(answer.tenant),
    status: 200,
    request: limits,
    response,
  }),
]
