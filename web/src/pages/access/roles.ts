import { computed } from 'vue'
import { roleDocuments } from '../../api/tenant/roles.ts'
import { useConnection } from '../../composables/connection.ts'

/** Reads the roles of the tenant as a live list. */
export function useRoles() {
  return useConnection({
    document: roleDocuments.list,
    variables: computed(() => ({})),
    pick: (answer) => answer.roles,
    kinds: ['role'],
    first: 100,
  })
}
