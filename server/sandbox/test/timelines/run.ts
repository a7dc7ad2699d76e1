/*
 * Plays recorded timelines and prints the differences:
 *
 *   node server/sandbox/test/timelines/run.ts [id …]
 *
 * The target is the sandbox, or the cluster of KUBECONFIG. IMAGES_URL is then the origin of an
 * image server that the cluster can reach, with disk.qcow2 and x.qcow2.
 */
import { kubeClientOf } from '../../../../test/support/sandbox/sandbox.ts'
import { clusterOf } from '../replay/clusters.ts'
import { playAll, playOnSandboxes } from './play-all.ts'
import { recordedTimelines } from './recorded.ts'

const selected = process.argv.slice(2)
const kubeconfig = process.env['KUBECONFIG']
const all = recordedTimelines()
if (all === null) throw new TypeError('the recordings are not next to this checkout')
const timelines = all.filter(({ id }) => selected.length === 0 || selected.includes(id))
const differing =
  kubeconfig === undefined ? await playOnSandboxes(timelines) : await playOnCluster(kubeconfig)
const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
for (const { id, title } of timelines) {
  const found = differing.get(id)
  printLine(
    [
      `${found ? 'differs' : 'same   '} ${id}: ${title}`,
      ...(found ?? []).map((line) => `    ${line.slice(0, 300)}`),
    ].join('\n'),
  )
}
printLine(`${timelines.length - differing.size} of ${timelines.length}`)

async function playOnCluster(path: string): Promise<Map<string, string[]>> {
  await using cluster = await clusterOf(await kubeClientOf(path))
  return await playAll(cluster, timelines, process.env['IMAGES_URL'])
}
