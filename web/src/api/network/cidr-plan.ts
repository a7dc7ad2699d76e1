import { type ResultOf, graphql } from '../graphql.ts'

/** The address blocks that a new network can take in a VPC. */
export const networkPlanDocument = graphql(`
  query NetworkCidrPlan($vpcId: ID!, $prefix: Int) {
    networkCidrPlan(vpcId: $vpcId, prefix: $prefix) {
      vpcCidr
      prefix
      auto
      suggestions {
        cidr
        available
        reason
        roomToGrow
      }
      map {
        cidr
        state
        name
        reason
      }
    }
  }
`)

/** The address blocks that a new VPC can take. */
export const vpcPlanDocument = graphql(`
  query VpcCidrPlan($prefix: Int) {
    vpcCidrPlan(prefix: $prefix) {
      prefix
      auto
      suggestions {
        cidr
        available
        reason
        roomToGrow
      }
      map {
        cidr
        state
        name
        reason
      }
    }
  }
`)

export type CidrPlan = ResultOf<typeof vpcPlanDocument>['vpcCidrPlan']
