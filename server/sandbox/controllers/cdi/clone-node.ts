import { type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { pods } from '../pods.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/**
 * The node whose pod is the first consumer of a copy: the one that was chosen for whoever waits, or
 * for a copy that must not wait, the one that the pod which writes the copy gets. Undefined where a
 * volume waits for nobody.
 */
export function nodeOfCopy(desk: Desk, target: KubeObject): string | undefined {
  const chosen = claim.annotation(target, names.selectedNode)
  if (chosen !== undefined || !claim.waitsForConsumer(desk, target)) return chosen
  const free = desk
    .list('nodes')
    .map(({ metadata: { name } }) => ({ name, pods: pods.onNode(desk, name).length }))
  return free.sort((a, b) => a.pods - b.pods)[0]?.name
}
