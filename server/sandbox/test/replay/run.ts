/*
 * Replays recorded cases and prints what differs:
 *
 *   node server/sandbox/test/replay/run.ts [area or id …]
 *
 * Against the sandbox, or against the cluster that KUBECONFIG names (a file in JSON, with classes
 * and instance types as the recordings' page describes them; then IMAGES_URL is a server of
 * disk.qcow2 and x.qcow2 that this cluster can reach).
 */
import { doorOf } from '../../../../test/support/sandbox/sandbox.ts'
import { clusterOf, replayAll } from './clusters.ts'
import { replayOnSandboxes } from './sandboxes.ts'
import { sharesOf } from './shares.ts'
import { type Case, recordedCases } from './cases.ts'
import known from './known.json' with { type: 'json' }

const wanted = process.argv.slice(2)
const isWanted = ({ area, id }: Case): boolean =>
  wanted.length === 0 || wanted.includes(area) || wanted.includes(id)
const kubeconfig = process.env['KUBECONFIG']

const all = recordedCases()
if (all === null) throw new TypeError('the recordings are not beside this checkout')
const cases = all.filter(isWanted)
const differing =
  kubeconfig === undefined
    ? await replayOnSandboxes(cases, (id) => id in known)
    : await replayOnCluster(kubeconfig)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
for (const { id, given } of cases) {
  const found = differing.get(id)
  if (found)
    say(
      [`${id}: ${given}`, ...found.slice(0, 4).map((line) => `    ${line.slice(0, 400)}`)].join(
        '\n',
      ),
    )
}
for (const { area, answered, whole, cases: count } of sharesOf(cases, differing)) {
  say(`${area.padEnd(18)} ${answered} of ${count} answered the same, ${whole} to the last field`)
}

async function replayOnCluster(path: string): Promise<Map<string, string[]>> {
  await using cluster = await clusterOf(await doorOf(path))
  return await replayAll(cluster, cases, process.env['IMAGES_URL'])
}
