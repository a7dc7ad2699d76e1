import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { aggregateAll } from './aggregation.ts'
import { operatorRoles } from './kubevirt-roles.ts'
import { type RoleRow } from './role-words.ts'
import { systemRoles } from './system-roles.ts'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/**
 * Creates the ClusterRoles of a cluster with KubeVirt and CDI, and binds those that apply to all
 * users.
 */
export function furnishAccess(client: Desk): void {
  for (const row of systemRoles)
    createRole(client, row, { 'kubernetes.io/bootstrapping': 'rbac-defaults' })
  for (const row of operatorRoles) createRole(client, row, {})
  aggregateAll(client)
}

function createRole(
  client: Desk,
  { name, labels = {}, rules = [], sumOf, boundTo }: RoleRow,
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
  client: Desk,
  kind: 'ClusterRole' | 'ClusterRoleBinding',
  object: JsonMap & Pick<KubeObject, 'metadata'>,
): void {
  const plural = `${kind.toLowerCase()}s.${group}`
  if (!client.get(plural, undefined, object.metadata.name))
    client.create(plural, { apiVersion, kind, ...object })
}
