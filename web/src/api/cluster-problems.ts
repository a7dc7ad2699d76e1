import { graphql } from './graphql.ts'

/** Components and rights that the cluster lacks for the work of Berth, as sentences. */
export const clusterProblemsDocument = graphql(`
  query ClusterProblems {
    clusterProblems
  }
`)
