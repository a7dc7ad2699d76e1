import { type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { atPace, replayAll, sandboxClusters } from './clusters.ts'
import { type Case } from './cases.ts'

/**
 * Number of attempts on each slow sandbox. Races end by chance, and the rarest recorded outcome
 * occurs once in thirty attempts.
 */
const rounds = { slow: 2, ofRaces: 30 }

/**
 * Replays the cases on fast sandboxes, and repeats different ones on slow sandboxes. Some cases
 * depend on a race; they only prove that the recorded response is possible.
 */
export async function replayOnSandboxes(
  cases: readonly Case[],
  isKnown: (id: string) => boolean,
): Promise<Map<string, string[]>> {
  await using fast = await sandboxClusters(6)
  const differing = await replayAll(fast, cases)
  const slow = await atPace(fast, 1)
  const retryAll = async (isSelected: (id: string) => boolean): Promise<void> => {
    const left = cases.filter(({ id }) => differing.has(id) && isSelected(id))
    const answers = await Promise.all(
      slow.clients.map((client) => replayAll({ ...slow, clients: [client] }, left)),
    )
    for (const { id } of left) if (answers.some((found) => !found.has(id))) differing.delete(id)
  }
  const isUnexpected = (id: string): boolean => !isKnown(id)
  const isLeft = (): boolean => [...differing.keys()].some(isUnexpected)
  await retryAll(() => true)
  for (let round = 1; round < rounds.slow && isLeft(); round += 1) await retryAll(isUnexpected)
  await Promise.all(slow.clients.map(slowOnlyControllers))
  for (let round = 0; round < rounds.ofRaces && isLeft(); round += 1) await retryAll(isUnexpected)
  return differing
}

/**
 * Slows down only the controllers. The nodes of the recorded cluster were simulated and acted at
 * once, so chance only decided which controller reacted first. Slow controllers keep that random on
 * a busy computer.
 */
async function slowOnlyControllers(client: KubeClient): Promise<void> {
  const faults = sandboxFaults(client)
  await faults.inject('pace', { factor: 0.02 })
  await faults.inject('pace', { factor: 5, steps: ['reaction', 'watch'] })
}
