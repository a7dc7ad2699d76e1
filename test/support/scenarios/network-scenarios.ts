import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { networkActions, networkDocuments } from '../actions/network-actions.ts'
import { sandboxFaults } from '../sandbox/faults.ts'
import { waitFor } from '../wait-for.ts'
import { type FixtureContext } from '../requests/request-fixtures.ts'
import { type World, aWorld } from '../world/world.ts'
import { type Json } from '../json.ts'

/** The life cycle of a VPC or a network, and its final state. */
export interface NetworkScenario {
  readonly kinds: readonly [create: OperationKind, remove: OperationKind]
  begin(): Promise<string>
  remove(id: string): Promise<unknown>
  /** The state without values that differ between runs, such as IDs. */
  stateOf(id: string): Promise<unknown>
}

export function vpcScenario(context: FixtureContext): NetworkScenario {
  const { aVpc } = networkActions(() => context)
  return {
    kinds: ['create_vpc', 'delete_vpc'],
    begin: async () => (await aVpc({ prefix: 24 })).vpc.id,
    remove: (id) => context.tenant.admin.ask(networkDocuments.deleteVpc, { i: { id } }),
    async stateOf(id) {
      const { database } = context.world
      const [vpc] = await database.sql(
        `select state, state_reason, namespace, cluster_uid, gone_at is not null as gone from vpc where id = '${id}'`,
      )
      const networks = await database.sql(
        `select name, gone_at is not null as gone from network where vpc_id = '${id}'`,
      )
      const { state, state_reason, cluster_uid, gone } = vpc ?? {}
      const bound = await isBound(
        context,
        `/api/v1/namespaces/${String(vpc?.namespace)}`,
        cluster_uid,
      )
      return {
        state,
        state_reason,
        gone,
        bound,
        networks,
        operations: await operationsOn(context, id),
      }
    },
  }
}

/** Networks in an existing VPC. */
export function networkScenario(context: FixtureContext, vpcId: string): NetworkScenario {
  const { aNetwork } = networkActions(() => context)
  return {
    kinds: ['create_network', 'delete_network'],
    begin: async () => (await aNetwork(vpcId, { prefix: 28 })).id,
    remove: (id) => context.tenant.admin.ask(networkDocuments.deleteNetwork, { i: { id } }),
    async stateOf(id) {
      const [network] = await context.world.database
        .sql(`select state, state_reason, driver, segment is not null as tagged, attachment_namespace as namespace,
        attachment_name as name, cluster_uid, gone_at is not null as gone from network where id = '${id}'`)
      const { state, state_reason, driver, tagged, namespace, name, cluster_uid, gone } =
        network ?? {}
      const path = `/apis/k8s.cni.cncf.io/v1/namespaces/${String(namespace)}/network-attachment-definitions/${String(name)}`
      return {
        state,
        state_reason,
        driver,
        tagged,
        gone,
        bound: await isBound(context, path, cluster_uid),
        operations: await operationsOn(context, id),
      }
    },
  }
}

/** True when the object has the UID of the row. Null when there is no object. */
async function isBound(
  { world }: FixtureContext,
  path: string,
  uid: unknown,
): Promise<boolean | null> {
  const { metadata } = (await world.cluster.call(path)).body
  return metadata.uid ? metadata.uid === uid : null
}

async function operationsOn({ world }: FixtureContext, id: string): Promise<unknown[]> {
  const found = await world.database.sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  return found.map(({ steps, ...operation }) => ({
    ...operation,
    steps: (steps as Json[]).map(({ name, state }) => `${name} ${state}`),
  }))
}

/** Waits until an operation of the kind on the object has ended. */
export async function operationEnded(
  { world }: Pick<FixtureContext, 'world'>,
  kind: OperationKind,
  id: string,
): Promise<void> {
  const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
  await waitFor(async () => (await world.database.sql(query)).length > 0, {
    timeoutMs: 20_000,
    everyMs: 30,
    what: `${kind} to end`,
  })
}

/** Starts a Berth whose sandbox has short delays. */
export async function fastWorld(options: Parameters<typeof aWorld>[0] = {}): Promise<World> {
  const world = await aWorld(options)
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  return world
}
