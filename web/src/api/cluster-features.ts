import { type ResultOf, graphql } from './graphql.ts'

/** The versions of the cluster's components, and the features that it offers with them. */
export const clusterFeaturesDocument = graphql(`
  query ClusterFeatures {
    clusterFeatures {
      kubernetesVersion
      kubevirtVersion
      cdiVersion
      features {
        name
        available
        reason
      }
      networkDrivers {
        name
        available
        reason
      }
    }
    storageClasses {
      name
      isDefault
      expand {
        available
        reason
      }
      snapshot {
        available
        reason
      }
      liveMigrate {
        available
        reason
      }
    }
  }
`)

export type ClusterFeatures = ResultOf<typeof clusterFeaturesDocument>
