import { computed } from 'vue'
import { offeringDocuments } from '../api/offerings.ts'
import { useConnection } from './connection.ts'

/** Reads the service offerings as a live list, smallest first. */
export const useOfferings = () =>
  useConnection({
    document: offeringDocuments.list,
    variables: computed(() => ({ orderBy: { by: 'cpu' as const, direction: 'asc' as const } })),
    pick: (answer) => answer.serviceOfferings,
    kinds: ['service_offering'],
    first: 100,
  })
