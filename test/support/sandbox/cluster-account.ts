import { usedKinds } from '../../../server/src/cluster/used-kinds.ts'
import { type Right, resourceName, rightsTo } from '../../../server/src/engine/kube/rights.ts'
import { kubeconfigFor } from '../cluster/gateway.ts'
import { type KubeAnswer, type KubeClient } from './sandbox.ts'

/** A service account with the rights that the kinds of Berth declare, or fewer. */
export interface ClusterAccount {
  /** The name in denials of the API server. */
  user: string
  kubeconfig: string
  /** Grants all declared rights but these, such as `patch virtualmachines.kubevirt.io`. */
  grantAllBut(isDenied: (right: string) => boolean): Promise<void>
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const nameOf = (right: Right): string => `${right.verb} ${resourceName(right)}`

/** Creates a service account of Berth in the cluster, which has no rights yet. */
export async function clusterAccount(
  cluster: KubeClient,
  namespace: string,
): Promise<ClusterAccount> {
  const send = async (method: string, path: string, body: object): Promise<KubeAnswer> => {
    const answer = await cluster.call(path, { method, body })
    if (answer.status >= 300) throw new TypeError(`${method} ${path}: ${answer.text}`)
    return answer
  }
  const metadata = { name: namespace }
  await send('POST', '/api/v1/namespaces', { metadata })
  await send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
    metadata: { name: 'berth' },
  })
  await send('POST', `${rbac}/clusterroles`, { metadata, rules: [] })
  await send('POST', `${rbac}/clusterrolebindings`, {
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: 'berth', namespace }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: namespace },
  })
  const { text } = await send(
    'POST',
    `/api/v1/namespaces/${namespace}/serviceaccounts/berth/token`,
    { spec: {} },
  )
  // The cast holds because the body is a TokenRequest.
  const { token } = (JSON.parse(text) as { status: { token: string } }).status
  return {
    user: `system:serviceaccount:${namespace}:berth`,
    kubeconfig: kubeconfigFor({ url: cluster.url, ca: cluster.ca, token }),
    async grantAllBut(isDenied) {
      const rules = usedKinds
        .flatMap(rightsTo)
        .filter((right) => !isDenied(nameOf(right)))
        .map(({ verb, group, resource }) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
        }))
      await send('PUT', `${rbac}/clusterroles/${namespace}`, { metadata, rules })
    },
  }
}
