import { describe, expect, test } from 'vitest'
import { type Block, blocks } from '../../../server/src/domain/network/block.ts'
import { type CidrPlan } from '../../../server/src/domain/network/plan.ts'
import { mustBeFree } from '../../../server/src/domain/network/free-block.ts'
import { networkPlan, requireNetworkCidr } from '../../../server/src/domain/network/rules.ts'
import { requireVpcCidr, vpcPlan } from '../../../server/src/domain/vpc/rules.ts'
import { block, free, refused, taken } from '../../support/actions/cidr-plans.ts'
import { fc } from '../../support/property-testing.ts'

const blockInside = (space: Block, smallest: number): fc.Arbitrary<string> =>
  fc
    .record({
      prefix: fc.integer({ min: space.prefix, max: smallest }),
      at: fc.bigInt({ min: space.first, max: space.last }),
    })
    .map(({ prefix, at }) =>
      blocks.text(
        block(`${[24n, 16n, 8n, 0n].map((shift) => (at >> shift) & 255n).join('.')}/${prefix}`),
      ),
    )

const canonical = (plan: CidrPlan): void => {
  for (const { cidr } of [...plan.suggestions, ...plan.map])
    expect(blocks.text(block(cidr))).toBe(cidr)
}

const areDisjoint = (cidrs: readonly string[]): boolean =>
  cidrs.every((one, index) =>
    cidrs.slice(index + 1).every((other) => !blocks.overlap(block(one), block(other))),
  )

describe('CIDR plans around existing blocks', () => {
  const vpc = block('10.32.0.0/13')
  const obstacles = fc.array(blockInside(block('10.0.0.0/9'), 29), { maxLength: 40 })

  test('a suggested network is accepted, has the requested size, and overlaps nothing', () => {
    fc.assert(
      fc.property(obstacles, fc.integer({ min: 13, max: 28 }), (cidrs, prefix) => {
        const all = taken('network', ...cidrs)
        const plan = networkPlan(vpc, all, prefix)
        canonical(plan)
        expect(areDisjoint(free(plan))).toBe(true)
        for (const cidr of free(plan)) {
          const accepted = requireNetworkCidr(cidr, vpc)
          expect(accepted.prefix).toBe(prefix)
          mustBeFree(accepted, all)
        }
        for (const { roomToGrow, cidr } of plan.suggestions.filter(({ available }) => available)) {
          expect(blocks.holds(block(roomToGrow ?? ''), block(cidr))).toBe(true)
          mustBeFree(requireNetworkCidr(roomToGrow ?? '', vpc), all)
        }
        for (const cidr of refused(plan)) expect(() => mustBeFree(block(cidr), all)).toThrow()
      }),
    )
  })

  test('the plan suggests a network whenever there is room for one', () => {
    fc.assert(
      fc.property(
        fc.array(blockInside(block('10.0.0.0/24'), 29), { maxLength: 12 }),
        fc.integer({ min: 24, max: 28 }),
        (cidrs, prefix) => {
          const all = taken('network', ...cidrs)
          const hasRoom = Array.from({ length: 2 ** (prefix - 24) }, (_, index) =>
            block(`10.0.0.${index * 2 ** (32 - prefix)}/${prefix}`),
          ).some((candidate) => !all.some((each) => blocks.overlap(each, candidate)))
          expect(networkPlan(block('10.0.0.0/24'), all, prefix).auto !== null).toBe(hasRoom)
        },
      ),
    )
  })

  test('a suggested VPC is accepted and overlaps nothing', () => {
    fc.assert(
      fc.property(
        fc.array(blockInside(block('0.0.0.0/0'), 24), { maxLength: 40 }),
        fc.option(fc.integer({ min: 8, max: 24 })),
        (cidrs, prefix) => {
          const all = taken('vpc', ...cidrs)
          const plan = vpcPlan(all, prefix)
          canonical(plan)
          for (const cidr of free(plan)) mustBeFree(requireVpcCidr(cidr), all)
          expect(areDisjoint(free(plan))).toBe(true)
        },
      ),
    )
  })

  test('the map covers the whole VPC, and every block that it shows as free is free', () => {
    fc.assert(
      fc.property(fc.array(blockInside(block('10.0.0.0/20'), 29), { maxLength: 12 }), (cidrs) => {
        const all = taken('network', ...cidrs)
        const { map } = networkPlan(block('10.0.0.0/20'), all, 24)
        expect(areDisjoint(map.map(({ cidr }) => cidr))).toBe(true)
        expect(map.reduce((sum, { cidr }) => sum + blocks.size(block(cidr)), 0)).toBe(4096)
        for (const { cidr, state } of map) if (state === 'free') mustBeFree(block(cidr), all)
      }),
    )
  })
})
