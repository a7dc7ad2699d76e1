import { type ResultOf, graphql } from '../graphql.ts'

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
