import { type ResultOf, graphql } from './graphql.ts'

/**
 * The capacity of the nodes (`hosts`), the amounts that VMs have allocated of it (`promised`), and
 * the reason why the capacity is unknown (`gap`).
 */
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
