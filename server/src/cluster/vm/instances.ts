import { type ClusterName } from '../../engine/kube/refs.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/** A VMI, which has the name of its VM. */
export const instanceKind: ApiKind = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  verbs: ['get', 'list', 'watch'],
}

/** The API through which KubeVirt accepts commands for a VMI. */
export const instanceSubresourceKind: ApiKind = {
  ...instanceKind,
  group: 'subresources.kubevirt.io',
  verbs: [],
  subresources: { console: 'get', vnc: 'get', pause: 'update', unpause: 'update' },
}

export const podKind: ApiKind = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  verbs: ['list'],
  subresources: { log: 'get' },
}

/** Returns the launcher pods of this VMI: two during a migration. */
export async function launcherPodsOf(
  transport: Transport,
  namespace: ClusterName,
  instanceUid: string,
): Promise<ApiObject[]> {
  const labelSelector = `kubevirt.io=virt-launcher,kubevirt.io/created-by=${instanceUid}`
  return listIn(
    (await transport.call({ method: 'GET', of: podKind, namespace, query: { labelSelector } }))
      .body,
  ).items
}
