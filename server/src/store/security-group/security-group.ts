import {
  byCreation,
  byNameOrAge,
  idKey,
  listReads,
  nameKey,
} from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { defaultGroup } from '../../domain/security-group/default-group.ts'
import {
  type SecurityGroupRule,
  type SecurityGroupView,
} from '../../domain/security-group/security-group.ts'
import { type GroupUse, unused } from '../../domain/security-group/uses.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { SecurityGroup } from './security-group-entity.ts'
import { usesOfGroups } from './group-uses.ts'
import { type Direction, type SortKey } from '../../engine/database/sql/page.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

const noun = 'security group'

export interface SecurityGroupQuery {
  search?: string | null
  createdAfter?: string | null
  sort: 'default' | 'name' | 'createdAt'
  direction: Direction
}

/** Writes security groups and their rules in the transaction of a unit of work. */
export class SecurityGroupStore extends UnitStore {
  /** Inserts the group and returns its id. `setRules` adds its rules. */
  async insert(
    values: Pick<SecurityGroupView, 'tenantId' | 'name' | 'description' | 'vpcId' | 'isDefault'>,
  ): Promise<string> {
    return (await insertGroup(this.reader, { id: newId(), ...values })).id
  }

  /** Inserts the group that every tenant has. */
  async insertDefault(tenantId: string): Promise<void> {
    const { rules, ...named } = defaultGroup
    await this.setRules(
      { id: await this.insert({ tenantId, ...named, vpcId: null, isDefault: true }), tenantId },
      rules,
    )
  }

  /**
   * Returns the tenant's group, locked until the unit ends, so that it cannot be assigned to a VM.
   */
  get(id: string): Promise<SecurityGroup> {
    return this.lockById(SecurityGroup, { id }, noun)
  }

  /** Returns the group for a reconciler; null when it no longer exists. */
  row(id: string): Promise<SecurityGroup | null> {
    return this.lockRow(SecurityGroup, { id })
  }

  /** Increments the version, because the rules are a part of the group. */
  touch(group: SecurityGroup): void {
    group.updatedAt = raw('now()')
  }

  /**
   * Locks the tenant's groups until the unit ends, so that they are neither changed nor deleted.
   * Throws for the first group that does not exist.
   */
  async hold(tenantId: string, ids: readonly string[]): Promise<void> {
    const held = statement('security_group.hold', (db) =>
      db
        .selectFrom('security_group')
        .select('id')
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where(sql<boolean>`id = any(${slot('ids')}::uuid[])`)
        .orderBy('id')
        .forShare(),
    )
    const found = new Set(
      (await this.reader.all(held, { tenantId, ids: ids.filter(isId) })).map(({ id }) => id),
    )
    const missing = ids.find((id) => !found.has(id))
    if (missing !== undefined) throw notFound(noun, missing)
  }

  /** Returns the tenant's default group, locked like those of `hold`. */
  async holdDefault(tenantId: string): Promise<string> {
    const held = statement('security_group.holdDefault', (db) =>
      db
        .selectFrom('security_group')
        .select('id')
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where('is_default', '=', sql<boolean>`true`)
        .forShare(),
    )
    return (await only(this.reader, held, { tenantId })).id
  }

  /** Counts the tenant's groups, and tells whether one of them has this name. */
  async presentFor({
    tenantId,
    name,
  }: Pick<SecurityGroupView, 'tenantId' | 'name'>): Promise<{ total: number; nameTaken: boolean }> {
    const present = statement('security_group.present', (db) =>
      db
        .selectFrom('security_group')
        .where('tenant_id', '=', slot<string>('tenantId'))
        .select([
          countAll,
          sql<boolean>`coalesce(bool_or(name = ${slot('name')}), false)`.as('nameTaken'),
        ]),
    )
    return only(this.reader, present, { tenantId, name })
  }

  /** Replaces all rules of the group. */
  async setRules(
    { id, tenantId }: Pick<SecurityGroup, 'id' | 'tenantId'>,
    rules: readonly SecurityGroupRule[],
  ): Promise<void> {
    await this.reader.all(
      statement('security_group.clear', (db) =>
        db.deleteFrom('security_group_rule').where('group_id', '=', slot<string>('id')),
      ),
      { id },
    )
    if (rules.length > 0)
      await this.reader.all(statement('security_group.rules', insertingRules), {
        id,
        tenantId,
        rules: JSON.stringify(rules),
      })
  }

  /** Returns the VMs that have the group, and the other groups whose rules name it. */
  async usesOf({ id }: Pick<SecurityGroup, 'id'>): Promise<GroupUse> {
    return (await usesOfGroups(this.reader, [id])).get(id) ?? unused
  }

  remove(group: SecurityGroup): void {
    this.unit.em.remove(group)
  }
}

/** Reads security groups as clients see them. */
export class SecurityGroupReads extends listReads<
  'security_group',
  SecurityGroupView,
  SecurityGroupQuery
>({
  stem: 'security_group',
  tenantColumn: 'security_group.tenant_id',
  rows: (db) => db.selectFrom('security_group').select(shown).select(rulesOfGroup),
  counted: (db) => db.selectFrom('security_group').select(countAll),
  found: contains('name', 'description'),
  narrowedBy: byCreation,
  // Scripts of existing clients expect the default group first.
  sortedBy: ({ sort, ...query }) =>
    sort === 'default' ? [defaultFirst, nameKey, idKey] : byNameOrAge({ ...query, sort }),
}) {
  usesOf(ids: readonly string[]): Promise<ReadonlyMap<string, GroupUse>> {
    return usesOfGroups(this.reader, ids)
  }
}

const defaultFirst: SortKey<SecurityGroupView> = {
  sql: sql`(not is_default)`,
  type: 'boolean',
  of: (row) => !row.isDefault,
}

export const rulesOfGroup = sql<SecurityGroupRule[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('direction', direction, 'protocol', protocol, 'portFrom', port_from, 'portTo', port_to,
                                               'singlePort', single_port, 'cidr', cidr, 'requestedCidr', coalesce(requested_cidr, cidr),
                                               'peerGroupId', peer_group_id) order by position), '[]')
    from security_group_rule where group_id = security_group.id)`.as('rules')

const shown = [
  ...([
    'id',
    'tenant_id as tenantId',
    'name',
    'description',
    'vpc_id as vpcId',
    'is_default as isDefault',
    'version',
  ] as const),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const insertGroup = insertInto('security_group', (row) => row.returning('id'))

const insertingRules = (db: Kysely<Tables>) =>
  db
    .insertInto('security_group_rule')
    .columns([
      'group_id',
      'position',
      'tenant_id',
      'direction',
      'protocol',
      'port_from',
      'port_to',
      'single_port',
      'cidr',
      'requested_cidr',
      'peer_group_id',
    ])
    .expression(
      sql`select ${slot('id')}::uuid, position, ${slot('tenantId')}::uuid, rule->>'direction', rule->>'protocol', (rule->>'portFrom')::int,
                 (rule->>'portTo')::int, (rule->>'singlePort')::boolean, rule->>'cidr', rule->>'requestedCidr',
                 (rule->>'peerGroupId')::uuid
            from jsonb_array_elements(${slot('rules')}::jsonb) with ordinality as new_rule (rule, position)`,
    )
