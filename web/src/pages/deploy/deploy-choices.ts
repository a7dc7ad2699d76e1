import { useQuery } from '@urql/vue'
import { computed, onScopeDispose } from 'vue'
import { deployChoicesDocument } from '../../api/vm/deploy.ts'
import { sshKeyDocuments } from '../../api/tenant/ssh-keys.ts'
import { vmTemplateDocuments } from '../../api/vm/vm-templates.ts'
import { useConsole } from '../../session/console.ts'
import { faultFromError } from '../../api/fault-message.ts'
import { useConnection } from '../../composables/connection.ts'
import { useOfferings } from '../../composables/offerings.ts'

/** Reads the options for a new VM as live lists. */
export function useDeployChoices() {
  const berth = useConsole()
  const seesKeys = berth.may('ssh_keys:read')
  const templates = useConnection({
    document: vmTemplateDocuments.list,
    variables: computed(() => ({ orderBy: { by: 'name' as const, direction: 'asc' as const } })),
    pick: (answer) => answer.vmTemplates,
    kinds: ['vm_template'],
    first: 200,
  })
  const offerings = useOfferings()
  const keys = seesKeys
    ? useConnection({
        document: sshKeyDocuments.list,
        variables: computed(() => ({})),
        pick: (answer) => answer.sshKeys,
        kinds: ['ssh_key'],
        first: 100,
      }).rows
    : computed(() => [])
  const rest = useQuery({
    query: deployChoicesDocument,
    variables: {
      seesGroups: berth.may('security_groups:read'),
      seesNetworks: berth.may('networks:read'),
      seesVolumes: berth.may('volumes:read'),
    },
    requestPolicy: 'cache-and-network',
  })
  const refetch = () => void rest.executeQuery({ requestPolicy: 'network-only' })
  onScopeDispose(
    berth.feed.listen(['network', 'security_group', 'vm', 'tenant', 'volume'], refetch),
  )

  return {
    templates: templates.rows,
    offerings: offerings.rows,
    keys,
    groups: computed(() => rest.data.value?.securityGroups?.nodes ?? []),
    networks: computed(() => rest.data.value?.networks?.nodes ?? []),
    volumes: computed(() =>
      (rest.data.value?.volumes?.nodes ?? []).filter(({ refusals }) => !refusals.attach),
    ),
    quota: computed(() => rest.data.value?.viewer.tenant?.quota ?? []),
    loading: computed(() => templates.loading.value || offerings.loading.value),
    failed: computed(() => templates.failed.value || offerings.failed.value),
    fault: computed(
      () =>
        templates.fault.value ??
        offerings.fault.value ??
        (rest.error.value ? faultFromError(rest.error.value) : null),
    ),
    refresh() {
      templates.refresh()
      offerings.refresh()
      refetch()
    },
  }
}
