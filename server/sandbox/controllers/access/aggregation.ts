import { isDeepStrictEqual } from 'node:util'
import { selects } from '../../objects/label-selector.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { type Controller, type Key } from '../controller.ts'
import { type Client } from '../client.ts'

const kind = 'clusterroles.rbac.authorization.k8s.io'

const aggregatedRoles = (client: Client): Key[] =>
  client
    .list(kind)
    .filter((role) => role.aggregationRule !== undefined)
    .map(({ metadata: { name } }) => ({ namespace: undefined, name }))

/** Updates the rules of ClusterRoles that aggregate other ClusterRoles. */
export const aggregation: Controller = {
  name: 'clusterrole-aggregation-controller',
  sources: [{ kind, keysOf: (_role, client) => aggregatedRoles(client) }],
  reconcile(client, { name }) {
    const role = client.get(kind, undefined, name)
    if (role?.aggregationRule === undefined) return undefined
    const rules = aggregatedRules(client, role)
    if (!isDeepStrictEqual(rules, role.rules)) client.change(kind, role, { ...role, rules })
    return undefined
  },
}

/** An aggregated role may be part of another one, so the initial fill takes one round per level. */
export function aggregateAll(client: Client): void {
  const levels = 3
  for (let round = 0; round < levels; round += 1)
    for (const key of aggregatedRoles(client)) aggregation.reconcile(client, key)
}

function aggregatedRules(client: Client, role: KubeObject): Json[] {
  const selectors = dig.list(role, 'aggregationRule.clusterRoleSelectors')
  const parts = client
    .list(kind)
    .filter((each) => each !== role && selectors.some((selector) => selects(selector, each)))
  const rules = new Map(
    parts.flatMap((each) => dig.list(each, 'rules')).map((rule) => [JSON.stringify(rule), rule]),
  )
  return [...rules.values()]
}
