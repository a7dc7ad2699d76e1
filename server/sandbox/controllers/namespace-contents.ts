import { type JsonMap } from '../objects/types.ts'
import { type Controller } from './controller.ts'

/**
 * The controllers that maintain the default service account and the root CA ConfigMap of each
 * namespace.
 */
export const namespaceContents = (ca: string): Controller[] => [
  keeper('serviceaccount-controller', { kind: 'serviceaccounts', name: 'default' }, {}),
  keeper(
    'root-ca-certificate-publisher',
    { kind: 'configmaps', name: 'kube-root-ca.crt' },
    { data: { 'ca.crt': ca } },
  ),
]

interface Content {
  kind: 'configmaps' | 'serviceaccounts'
  name: string
}

const kindNames = { configmaps: 'ConfigMap', serviceaccounts: 'ServiceAccount' }

/** Creates the object in each namespace, also after a client has deleted it. */
const keeper = (controller: string, { kind, name }: Content, content: JsonMap): Controller => ({
  name: controller,
  fieldManager: 'kube-controller-manager',
  sources: [
    { kind: 'namespaces', keysOf: ({ metadata }) => [{ namespace: metadata.name, name }] },
    {
      kind,
      keysOf: ({ metadata }) =>
        metadata.name === name ? [{ namespace: metadata.namespace, name }] : [],
    },
  ],
  reconcile(client, { namespace = '' }) {
    const namespaceObject = client.get('namespaces', undefined, namespace)
    if (
      !namespaceObject ||
      namespaceObject.metadata.deletionTimestamp !== undefined ||
      client.get(kind, namespace, name)
    )
      return undefined
    client.create(kind, {
      apiVersion: 'v1',
      kind: kindNames[kind],
      metadata: { name, namespace },
      ...content,
    })
    return undefined
  },
})
