import { type KubeDoor } from '../../../../test/support/sandbox/sandbox.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { atPace, replayAll, sandboxClusters } from './clusters.ts'
import { type Case } from './cases.ts'

/**
 * How often each of the patient sandboxes is asked. Who comes first is left to chance, and the
 * rarest of the recorded outcomes comes once in thirty times.
 */
const rounds = { patient: 2, ofRaces: 30 }

/**
 * As against a real cluster, only sooner: where being in a hurry makes a difference, sandboxes that
 * take their time are asked. Some cases look at what changes in that very moment; that the recorded
 * answer is among those that can be had is what they prove.
 */
export async function replayOnSandboxes(
  cases: readonly Case[],
  isKnown: (id: string) => boolean,
): Promise<Map<string, string[]>> {
  await using hurried = await sandboxClusters(6)
  const differing = await replayAll(hurried, cases)
  const patient = await atPace(hurried, 1)
  const askAll = async (isMeant: (id: string) => boolean): Promise<void> => {
    const left = cases.filter(({ id }) => differing.has(id) && isMeant(id))
    const answers = await Promise.all(
      patient.doors.map((door) => replayAll({ ...patient, doors: [door] }, left)),
    )
    for (const { id } of left) if (answers.some((found) => !found.has(id))) differing.delete(id)
  }
  const isUnexpected = (id: string): boolean => !isKnown(id)
  const isLeft = (): boolean => [...differing.keys()].some(isUnexpected)
  await askAll(() => true)
  for (let round = 1; round < rounds.patient && isLeft(); round += 1) await askAll(isUnexpected)
  await Promise.all(patient.doors.map(onlyControllersTakeTime))
  for (let round = 0; round < rounds.ofRaces && isLeft(); round += 1) await askAll(isUnexpected)
  return differing
}

/**
 * The nodes of the recorded cluster were stand-ins that did all at once, also what a guest does;
 * what was left to chance is who hears of it first. Controllers that are slow beside the machine
 * leave that to chance also where the machine is busy.
 */
async function onlyControllersTakeTime(door: KubeDoor): Promise<void> {
  const faults = sandboxFaults(door)
  await faults.order('pace', { factor: 0.02 })
  await faults.order('pace', { factor: 5, steps: ['reaction', 'watch'] })
}
