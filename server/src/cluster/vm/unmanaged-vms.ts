import { readObject } from '../../engine/kube/apply.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'
import { checkedName } from '../../engine/kube/refs.ts'
import { type Transport } from '../../engine/kube/transport.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { manifests } from '../manifests.ts'
import { type UnmanagedVmReader } from '../reader.ts'
import { foundVm } from './found-vm.ts'

/** Reads the VMs of all clients in a namespace. */
export const unmanagedVmReader = (transport: Transport): UnmanagedVmReader => ({
  async listAllVms({ namespace }) {
    const { of } = manifests.vm
    return (await listNamespace({ transport, of, namespace, only: 'metadata' })).map(observedObject)
  },

  async describeVms({ namespace, names }) {
    const { of } = manifests.vm
    const claims = await listNamespace({ transport, of: manifests.volume.of, namespace })
    const vms = await Promise.all(
      // A name of another client may have dots, and then it may not be part of a path.
      names.map((name) =>
        listNamespace({ transport, of, namespace, fieldSelector: `metadata.name=${name}` }),
      ),
    )
    return vms.flat().map((vm) => ({ ...observedObject(vm), found: foundVm(vm, claims) }))
  },

  async getVmSettings(ref) {
    const { of } = manifests.secret
    const target = { of, namespace: checkedName(ref.namespace), name: checkedName(ref.name) }
    const secret = await readObject(transport, target)
    const encoded = textAt(secret, 'data', 'userdata')
    if (!secret) return null
    const userData = encoded === null ? null : new Secret(Buffer.from(encoded, 'base64').toString())
    return { ...observedObject(secret), userData }
  },
})

interface NamespaceList {
  transport: Transport
  of: ApiKind
  namespace: string
  only?: 'metadata'
  fieldSelector?: string
}

/** Lists all objects of a kind in a namespace, page by page. */
async function listNamespace({
  transport,
  of,
  namespace,
  only,
  fieldSelector,
}: NamespaceList): Promise<ApiObject[]> {
  const found: ApiObject[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = {
      limit: '500',
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(after === null ? {} : { continue: after }),
    }
    const call = { method: 'GET', of, namespace: checkedName(namespace), query } as const
    const page = listIn((await transport.call(only ? { ...call, only } : call)).body)
    found.push(...page.items)
    after = page.after
  } while (after !== null)
  return found
}
