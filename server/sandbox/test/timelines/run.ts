/*
 * Plays recorded timelines and prints what differs:
 *
 *   node server/sandbox/test/timelines/run.ts [id …]
 *
 * Against the sandbox, or against the cluster that KUBECONFIG names; then IMAGES_URL is a server of
 * disk.qcow2 and x.qcow2 that this cluster can reach.
 */
import { doorOf } from '../../../../test/support/sandbox/sandbox.ts'
import { clusterOf } from '../replay/clusters.ts'
import { playAll, playOnSandboxes } from './play-all.ts'
import { recordedTimelines } from './recorded.ts'

const wanted = process.argv.slice(2)
const kubeconfig = process.env['KUBECONFIG']
const all = recordedTimelines()
if (all === null) throw new TypeError('the recordings are not beside this checkout')
const timelines = all.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
const differing =
  kubeconfig === undefined ? await playOnSandboxes(timelines) : await playOnCluster(kubeconfig)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
for (const { id, title } of timelines) {
  const found = differing.get(id)
  say(
    [
      `${found ? 'differs' : 'same   '} ${id}: ${title}`,
      ...(found ?? []).map((line) => `    ${line.slice(0, 300)}`),
    ].join('\n'),
  )
}
say(`${timelines.length - differing.size} of ${timelines.length}`)

async function playOnCluster(path: string): Promise<Map<string, string[]>> {
  await using cluster = await clusterOf(await doorOf(path))
  return await playAll(cluster, timelines, process.env['IMAGES_URL'])
}
