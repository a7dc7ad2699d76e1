import { type Taken } from '../../../server/src/domain/network/plan.ts'
import { blockFromText } from '../../../server/src/domain/network/block.ts'
import { networkPlan } from '../../../server/src/domain/network/rules.ts'
import { vpcPlan } from '../../../server/src/domain/vpc/rules.ts'
import { percentile } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'

/** As many as there may be beside each other. */
const most = 4_096
const rounds = 200

/**
 * What people wait for while they choose addresses, with as many of them taken as can be: the worst
 * of the orders and sizes.
 */
export const cidrPlan: Bench = {
  name: 'cidr plan',
  run: () => Promise.resolve([row('of a VPC', planVpc), row('of a network', planNetwork)]),
}

function row(what: string, plan: (round: number) => void): Row {
  const tookMs: number[] = []
  for (let round = -rounds; round < rounds; round++) {
    const began = performance.now()
    plan(round)
    if (round >= 0) tookMs.push(performance.now() - began)
  }
  return {
    name: `cidr plan: ${what} beside ${most}`,
    berth: {},
    value: percentile(
      tookMs.toSorted((a, b) => a - b),
      0.99,
    ),
    unit: 'ms',
    target: { atMost: 20 },
  }
}

const apart = (cidr: (index: number) => string): Taken[] =>
  Array.from({ length: most }, (_, index) => cidr((index * 1_021) % most)).flatMap(
    (text, index) => {
      const block = blockFromText(text)
      return block ? [{ ...block, by: 'vpc' as const, name: `n${index}` }] : []
    },
  )

const vpcs = apart((index) => `10.${index >> 4}.${(index & 15) << 4}.0/24`)
const networks = apart((index) => `10.${index >> 8}.${index & 255}.0/28`).map((each) => ({
  ...each,
  by: 'network' as const,
}))
const space = blockFromText('10.0.0.0/8')

const planVpc = (round: number): void => void vpcPlan(vpcs, [null, 8, 16, 24][Math.abs(round) % 4])
const planNetwork = (round: number): void =>
  void (space && networkPlan(space, networks, [8, 16, 24, 28][Math.abs(round) % 4]))
