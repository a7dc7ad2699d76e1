import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { aggregateAll } from './aggregation.ts'
import { operatorRoles } from './kubevirt-roles.ts'
import { type RoleRow } from './role-rules.ts'
import { systemRoles } from './system-roles.ts'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/**
 * Creates the ClusterRoles of a cluster with KubeVirt and CDI, and binds those that apply to all
 * users.
 */
export function seedAccess(client: Client): void {
  for (const row of systemRoles)
    createRole(client, row, { 'kubernetes.io/bootstrapping': 'rbac-defaults' })
  for (const row of operatorRoles) createRole(client, row, {})
  aggregateAll(client)
}

function createRole(
  client: Client,
  { name, labels = {}, rules = [], aggregatedFrom: sumOf, boundTo }: RoleRow,
  common: Record<string, string>,
): void {
  const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }
  const metadata = { name, labels: { ...common, ...labels }, annotations }
  const sum: JsonMap =
    sumOf === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: labelFor(sumOf) }] } }
  ensure(client, 'ClusterRole', { metadata, ...sum, rules: [...rules] })
  if (boundTo === undefined) return
  ensure(client, 'ClusterRoleBinding', {
    metadata: { name, labels: common, annotations },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: boundTo.map((each) => ({ apiGroup: group, kind: 'Group', name: each })),
  })
}

const labelFor = (to: string): Record<string, string> => ({
  [`${group}/aggregate-to-${to}`]: 'true',
})

function ensure(
  client: Client,
  kind: 'ClusterRole' | 'ClusterRoleBinding',
  object: JsonMap & Pick<KubeObject, 'metadata'>,
): void {
  const plural = `${kind.toLowerCase()}s.${group}`
  if (!client.get(plural, undefined, object.metadata.name))
    client.create(plural, { apiVersion, kind, ...object })
}
