import { defineEntity, p } from '@mikro-orm/core'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { shownColumns } from './shown-columns.ts'

interface KeyView {
  id: string
  name: string
  publicKey: string
  fingerprint: string
  isNew: boolean
}

const schema = defineEntity({
  name: 'ShownKey',
  tableName: 'ssh_key',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    publicKey: p.text(),
    fingerprint: p.text(),
  },
})

const isNew = sql<boolean>`version = 1`.as('isNew')
const shown = shownColumns<KeyView>()(schema, 'ssh_key', {
  usual: ['id', 'name'],
  rarer: { age: [isNew], detail: [] },
  internal: ['tenantId', 'version', 'createdAt', 'updatedAt'],
})
const whole = { ofOneTenant: false }

test('columns reads properties of no group with the detail, and internal properties never', () => {
  expect(shown.columns(['detail'], whole)).toEqual([
    'id',
    'name',
    'public_key as publicKey',
    'fingerprint',
  ])
  expect(shown.all).toHaveLength(5)
  expect(shown.without('detail')).toEqual(['id', 'name', isNew])
})

test('a list reads the groups of the fields that are selected', () => {
  expect(shown.groupsFor(new Set(['id', 'name']))).toEqual([])
  expect(shown.groupsFor(new Set(['publicKey']))).toEqual(['detail'])
  expect(shown.groupsFor(null)).toEqual(['age', 'detail'])
})
