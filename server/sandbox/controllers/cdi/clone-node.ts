import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { pods } from '../pods.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/**
 * The node where the first consumer of a copy runs: the node chosen by the scheduler, else the node
 * with the fewest pods. Undefined when the storage class does not wait for a consumer.
 */
export function nodeOfCopy(client: Client, target: KubeObject): string | undefined {
  const chosen = claim.annotation(target, names.selectedNode)
  if (chosen !== undefined || !claim.waitsForConsumer(client, target)) return chosen
  const free = client
    .list('nodes')
    .map(({ metadata: { name } }) => ({ name, pods: pods.onNode(client, name).length }))
  return free.sort((a, b) => a.pods - b.pods)[0]?.name
}
