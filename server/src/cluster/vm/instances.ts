import { type ClusterName } from '../../engine/kube/refs.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/** One run of a VM, of the VM's name. */
export const instanceKind: ApiKind = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
}

/** Where KubeVirt takes orders for one. */
export const liveInstanceKind: ApiKind = { ...instanceKind, group: 'subresources.kubevirt.io' }

export const podKind: ApiKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods' }

/** The pods of this very run: two while it moves. */
export async function launchersOf(
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
