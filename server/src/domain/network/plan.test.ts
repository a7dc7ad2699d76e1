import { describe, expect, test } from 'vitest'
import { block, free, refused, taken } from '../../../../test/support/actions/cidr-plans.ts'
import { requireVpcCidr, vpcPlan } from '../vpc/rules.ts'
import { autoBlock, guestRange, mustBeFree } from './free-block.ts'
import { networkPlan } from './rules.ts'
import { messageOf } from '../../engine/model/message.ts'

/** Returns the value as clients receive it, with messages in English. */
const inEnglish = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('the plan of a network', () => {
  const vpc = block('10.0.0.0/16')

  test('the first network of a VPC begins at its first address', () => {
    expect(networkPlan(vpc, [], null)).toMatchObject({ prefix: 24, auto: '10.0.0.0/24', used: [] })
  })

  test('a plan continues after the last network, so that released blocks rest, and starts over at the end of the VPC', () => {
    const some = taken('network', '10.0.0.0/24', '10.0.5.0/24')
    expect(free(networkPlan(vpc, some, 24)).slice(0, 2)).toEqual(['10.0.6.0/24', '10.0.7.0/24'])
    const last = taken('network', '10.0.0.0/24', '10.0.255.0/24')
    expect(networkPlan(vpc, last, 24).auto).toBe('10.0.1.0/24')
    expect(networkPlan(vpc, taken('network', '10.0.255.128/25'), 24).auto).toBe('10.0.0.0/24')
  })

  test('a plan names the conflict of each refused block', () => {
    const plan = networkPlan(
      vpc,
      [...taken('network', '10.0.0.0/24'), ...taken('pods', '10.0.1.0/25'), ...guestRange()],
      24,
    )
    expect(plan.auto).toBe('10.0.3.0/24')
    expect(inEnglish(plan.suggestions.filter(({ available }) => !available))).toEqual([
      expect.objectContaining({
        cidr: '10.0.1.0/24',
        conflictsWith: '10.0.1.0/25',
        reason: expect.stringContaining('pods') as string,
      }),
      expect.objectContaining({
        cidr: '10.0.2.0/24',
        conflictsWith: '10.0.2.0/24',
        reason: expect.stringContaining('inside every VM') as string,
      }),
    ])
    expect(plan.used).toEqual(['10.0.0.0/24'])
  })

  test('a suggestion shows how far its block could grow', () => {
    const plan = networkPlan(vpc, taken('network', '10.0.0.0/24', '10.0.7.0/24'), 24)
    const rooms = new Map(plan.suggestions.map(({ cidr, roomToGrow }) => [cidr, roomToGrow]))
    expect(rooms.get('10.0.8.0/24')).toBe('10.0.8.0/21')
    expect(networkPlan(block('10.0.0.0/24'), [], 24).suggestions[0]?.roomToGrow).toBe('10.0.0.0/24')
  })

  test('the map covers the whole VPC in address order', () => {
    const { map } = networkPlan(block('10.0.0.0/22'), taken('network', '10.0.1.0/24'), 24)
    expect(inEnglish(map)).toEqual([
      { cidr: '10.0.0.0/24', state: 'free', name: null, reason: null },
      {
        cidr: '10.0.1.0/24',
        state: 'used',
        name: 'of 10.0.1.0/24',
        reason: 'used by network of 10.0.1.0/24',
      },
      { cidr: '10.0.2.0/23', state: 'free', name: null, reason: null },
    ])
  })

  test.each([-1, 0, 15, 29, 33, 1e9, 24.5, Number.NaN])(
    'a plan of a network refuses prefix %s',
    (prefix) => {
      expect(() => networkPlan(vpc, [], prefix)).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      )
    },
  )

  test('a block is refused when 4,096 blocks are taken, because a client waits for the search', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}/32`)
    expect(() => mustBeFree(vpc, taken('vpc', ...many(4_095)))).not.toThrow()
    expect(() => mustBeFree(vpc, taken('vpc', ...many(4_096)))).toThrow(
      expect.objectContaining({ code: 'quota_exceeded' }),
    )
  })

  test('a plan has no suggestion when the VPC is full', () => {
    const plan = networkPlan(
      block('10.0.0.0/24'),
      taken('network', '10.0.0.0/25', '10.0.0.128/25'),
      26,
    )
    expect([plan.auto, free(plan)]).toEqual([null, []])
    expect(() =>
      autoBlock(plan, (prefix) => messageOf('network.vpc_exhausted', { prefix, vpc: 'web' })),
    ).toThrow(expect.objectContaining({ code: 'cidr_exhausted' }))
  })
})

describe('the plan of a VPC', () => {
  test('a plan begins with the block that existing clients expect and offers all private ranges', () => {
    const plan = vpcPlan([], null)
    expect([plan.auto, plan.prefix]).toEqual(['10.0.0.0/16', 16])
    expect(free(plan)).toEqual([
      '10.0.0.0/16',
      '10.1.0.0/16',
      '10.2.0.0/16',
      '10.3.0.0/16',
      '10.4.0.0/16',
      '172.16.0.0/16',
      '172.17.0.0/16',
      '192.168.0.0/20',
    ])
  })

  test('a plan skips blocks of the tenant, the public network and the cluster', () => {
    const all = [
      ...taken('vpc', ...Array.from({ length: 9 }, (_, index) => `10.${index}.0.0/16`)),
      ...taken('public', '10.9.7.0/24'),
      ...taken('pods', '172.16.0.0/15'),
      ...taken('services', '192.168.1.0/24'),
    ]
    const plan = vpcPlan(all, null)
    expect(free(plan).slice(0, 1)).toEqual(['10.10.0.0/16'])
    expect(free(plan)).toEqual(expect.arrayContaining(['172.18.0.0/16', '192.168.16.0/20']))
    expect(refused(plan)[0]).toBe('10.0.0.0/16')
  })

  test.each([-1, 0, 7, 25, 1e9])('a plan of a VPC refuses prefix %s', (prefix) => {
    expect(() => vpcPlan([], prefix)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  test.each([
    ['10.0.0.0/25', 'it is too small'],
    ['8.8.0.0/16', 'it is not private'],
    ['172.32.0.0/16', 'it is outside the private range'],
    ['10.0.0.0/7', 'it is larger than the private range'],
    ['fd00::/48', 'it is IPv6'],
    ['', 'it is empty'],
  ])('a VPC refuses the block %j, because %s', (cidr) => {
    expect(() => requireVpcCidr(cidr)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })
})
