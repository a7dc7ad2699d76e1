import { type Kysely, sql } from 'kysely'
import { type GroupUse, unused } from '../../domain/security-group/uses.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

const maxNames = 10

/** Returns the VMs that have each group, and the other groups whose rules name it. */
export async function usesOfGroups(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupUse>> {
  const members = await reader.all(statement('security_group.members', membersOf), { ids })
  const peers = await reader.all(statement('security_group.peers', peersOf), { ids })
  const [vms, groups] = [usesByGroup(members), usesByGroup(peers)]
  return new Map(
    ids.map((id) => [
      id,
      { vms: vms.get(id) ?? unused.vms, groups: groups.get(id) ?? unused.groups },
    ]),
  )
}

type Users = GroupUse['vms']

function usesByGroup(
  uses: readonly { groupId: string; name: string; total: number; areLeaving: boolean }[],
): ReadonlyMap<string, Users> {
  const byGroup = Map.groupBy(uses, ({ groupId }) => groupId)
  return new Map(
    [...byGroup].map(([id, of]) => [
      id,
      {
        names: of.map(({ name }) => name),
        total: of[0]?.total ?? 0,
        areLeaving: of[0]?.areLeaving ?? false,
      },
    ]),
  )
}

const totalOfGroup = sql<number>`count(*) over (partition by security_group.id)::int`.as('total')
const rankBy = (name: string) =>
  sql<number>`row_number() over (partition by security_group.id order by ${sql.ref(name)})`.as(
    'rank',
  )

const named = sql<boolean>`security_group.id = any(${slot('ids')}::uuid[])`

const membersOf = (db: Kysely<Tables>) => {
  const all = db
    .selectFrom('security_group')
    .innerJoin('vm_security_group', (join) =>
      join
        .onRef('vm_security_group.tenant_id', '=', 'security_group.tenant_id')
        .onRef('vm_security_group.group_id', '=', 'security_group.id'),
    )
    .innerJoin('vm', 'vm.id', 'vm_security_group.vm_id')
    .where(named)
    .select(['security_group.id as groupId', 'vm.name', totalOfGroup, rankBy('vm.name')])
    .select(
      sql<boolean>`bool_and(vm.delete_requested_at is not null) over (partition by security_group.id)`.as(
        'areLeaving',
      ),
    )
  return db
    .selectFrom(all.as('used'))
    .select(['groupId', 'name', 'total', 'areLeaving'])
    .where('rank', '<=', maxNames)
    .orderBy('name')
}

const peersOf = (db: Kysely<Tables>) => {
  const all = db
    .selectFrom('security_group')
    .innerJoin('security_group as user', (join) =>
      join
        .onRef('user.tenant_id', '=', 'security_group.tenant_id')
        .onRef('user.id', '<>', 'security_group.id'),
    )
    .where(named)
    .where(
      sql<boolean>`exists (select from security_group_rule rule where rule.group_id = "user".id and rule.peer_group_id = security_group.id)`,
    )
    .select(['security_group.id as groupId', 'user.name', totalOfGroup, rankBy('user.name')])
  return db
    .selectFrom(all.as('used'))
    .select(['groupId', 'name', 'total', sql<boolean>`false`.as('areLeaving')])
    .where('rank', '<=', maxNames)
    .orderBy('name')
}
