import { type KubeAnswer, type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/** The fields of a pod that tests read. */
export interface Pod {
  metadata: {
    name: string
    generation: number
    deletionTimestamp?: string
    labels: Record<string, string>
  }
  spec: {
    nodeName?: string
    containers: { name: string; image: string; resources?: unknown }[]
    ephemeralContainers?: { name: string }[]
  }
  status: { phase?: string; conditions?: { type: string; reason?: string }[] }
}

/** Pods of one namespace without a scheduler. The test binds them to nodes. */
export interface UnscheduledPods {
  make(name: string, more?: object): Promise<void>
  bind(name: string, node?: string, path?: string): Promise<KubeAnswer>
  /** Creates the pod, binds it and waits until it runs. */
  run(name: string): Promise<void>
  firstNode(): Promise<string>
}

/** Creates the namespace and returns the functions for its pods. */
export async function unscheduledPods(
  client: KubeClient,
  namespace: string,
): Promise<UnscheduledPods> {
  const path = `/api/v1/namespaces/${namespace}/pods`
  const post = (to: string, body: unknown): Promise<KubeAnswer> =>
    client.call(to, { method: 'POST', body })
  await post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })

  const make: UnscheduledPods['make'] = async (name, more = {}) => {
    const containers = [{ name: 'a', image: 'busybox' }]
    const { status, text } = await post(path, {
      metadata: { name, labels: { app: name } },
      spec: { schedulerName: 'nobody', containers, ...more },
    })
    if (status !== 201) throw new TypeError(text)
  }
  const bind: UnscheduledPods['bind'] = (name, node = 'node1', to = `${path}/${name}/binding`) =>
    post(to, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target: { kind: 'Node', name: node },
    })
  const firstNode = async (): Promise<string> =>
    (await client.call('/api/v1/nodes')).body.items[0]?.metadata.name ?? ''
  return {
    make,
    bind,
    firstNode,
    async run(name) {
      await make(name)
      await bind(name, await firstNode())
      const runs = async (): Promise<boolean> => {
        const { text } = await client.call(`${path}/${name}`)
        // The cast holds because the pod was just created.
        return (JSON.parse(text) as Pod).status.phase === 'Running'
      }
      await waitFor(runs, { what: `${name} to run`, timeoutMs: 10_000 })
    },
  }
}
