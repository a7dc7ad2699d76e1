import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { Vpc } from './vpc-entity.ts'
import { vpcKeys } from './vpc-keys.ts'
import { VpcReads } from './vpc-reads.ts'
import { VpcStore } from './vpc.ts'

/** The part of the store for VPCs: tables, queries and work keys for the reconciler. */
export const vpcNoun = {
  entities: [Vpc],
  reads: { vpcs: VpcReads },
  stores: { vpcs: VpcStore },
  workKeys: { vpc: vpcKeys },
  constraints: {
    vpc_name_key: messageOf('vpc.name_taken_meanwhile'),
    vpc_cidr_overlap: messageOf('vpc.overlap_meanwhile'),
  },
} satisfies NounParts
