import { type ResultOf, graphql } from './graphql.ts'

export const clusterCapacityDocument = graphql(`
  query ClusterCapacity {
    clusterCapacity {
      hosts {
        total
        ready
        open
        cores
        memoryMi
        vcpusPerCore
      }
      gap
      asOf
      promised {
        vms
        vcpus
        memoryMi
      }
      warnings
    }
  }
`)

export type ClusterCapacity = ResultOf<typeof clusterCapacityDocument>['clusterCapacity']
