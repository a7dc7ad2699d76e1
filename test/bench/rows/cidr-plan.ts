import { type TakenBlock } from '../../../server/src/domain/network/plan.ts'
import { blockFromText } from '../../../server/src/domain/network/block.ts'
import { networkPlan } from '../../../server/src/domain/network/rules.ts'
import { vpcPlan } from '../../../server/src/domain/vpc/rules.ts'
import { percentile } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'

/** The largest number of disjoint blocks in the plan. */
const maxBlocks = 4_096
const rounds = 200

/**
 * The time that a user waits for free addresses when as many as possible are taken, in the worst
 * order and size.
 */
export const cidrPlan: Bench = {
  name: 'cidr plan',
  run: () => Promise.resolve([row('VPC', planVpc), row('network', planNetwork)]),
}

function row(what: string, plan: (round: number) => void): Row {
  const tookMs: number[] = []
  for (let round = -rounds; round < rounds; round++) {
    const began = performance.now()
    plan(round)
    if (round >= 0) tookMs.push(performance.now() - began)
  }
  return {
    name: `cidr plan: ${what} with ${maxBlocks} existing`,
    berth: {},
    value: percentile(
      tookMs.toSorted((a, b) => a - b),
      0.99,
    ),
    unit: 'ms',
    target: { atMost: 20 },
  }
}

const disjoint = (cidr: (index: number) => string): TakenBlock[] =>
  Array.from({ length: maxBlocks }, (_, index) => cidr((index * 1_021) % maxBlocks)).flatMap(
    (text, index) => {
      const block = blockFromText(text)
      return block ? [{ ...block, by: 'vpc' as const, name: `n${index}` }] : []
    },
  )

const vpcs = disjoint((index) => `10.${index >> 4}.${(index & 15) << 4}.0/24`)
const networks = disjoint((index) => `10.${index >> 8}.${index & 255}.0/28`).map((each) => ({
  ...each,
  by: 'network' as const,
}))
const space = blockFromText('10.0.0.0/8')

const planVpc = (round: number): void => void vpcPlan(vpcs, [null, 8, 16, 24][Math.abs(round) % 4])
const planNetwork = (round: number): void =>
  void (space && networkPlan(space, networks, [8, 16, 24, 28][Math.abs(round) % 4]))
