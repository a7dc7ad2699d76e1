import { type ResultOf, graphql } from '../graphql.ts'

export const storageClassesDocument = graphql(`
  query StorageClasses {
    storageClasses {
      name
      isDefault
      binding
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

export type StorageClass = ResultOf<typeof storageClassesDocument>['storageClasses'][number]
