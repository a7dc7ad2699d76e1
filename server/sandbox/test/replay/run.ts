/*
 * Replays recorded cases and prints the differences:
 *
 *   node server/sandbox/test/replay/run.ts [area or id …]
 *
 * The target is the sandbox, or the cluster of KUBECONFIG. That file must be JSON, and the cluster
 * needs the storage classes and instance types of the recordings. IMAGES_URL is then the origin of
 * an image server that the cluster can reach, with disk.qcow2 and x.qcow2.
 */
import { kubeClientOf } from '../../../../test/support/sandbox/sandbox.ts'
import { clusterOf, replayAll } from './clusters.ts'
import { replayOnSandboxes } from './sandboxes.ts'
import { sharesOf } from './shares.ts'
import { type Case, recordedCases } from './cases.ts'
import known from './known.json' with { type: 'json' }

const selected = process.argv.slice(2)
const isSelected = ({ area, id }: Case): boolean =>
  selected.length === 0 || selected.includes(area) || selected.includes(id)
const kubeconfig = process.env['KUBECONFIG']

const all = recordedCases()
if (all === null) throw new TypeError('the recordings are not next to this checkout')
const cases = all.filter(isSelected)
const differing =
  kubeconfig === undefined
    ? await replayOnSandboxes(cases, (id) => id in known)
    : await replayOnCluster(kubeconfig)
const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
for (const { id, given: precondition } of cases) {
  const found = differing.get(id)
  if (found)
    printLine(
      [
        `${id}: ${precondition}`,
        ...found.slice(0, 4).map((line) => `    ${line.slice(0, 400)}`),
      ].join('\n'),
    )
}
for (const { area, answered, whole, cases: count } of sharesOf(cases, differing)) {
  printLine(
    `${area.padEnd(18)} ${answered} of ${count} with the same response, ${whole} in every field`,
  )
}

async function replayOnCluster(path: string): Promise<Map<string, string[]>> {
  await using cluster = await clusterOf(await kubeClientOf(path))
  return await replayAll(cluster, cases, process.env['IMAGES_URL'])
}
