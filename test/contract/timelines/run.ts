/*
 * Plays recorded timelines and prints what differs: node test/contract/timelines/run.ts [id …]. Against the sandbox, or against the cluster
 * that KUBECONFIG names; then IMAGES_URL is a server of disk.qcow2 and x.qcow2
 * that this cluster can reach.
 */
import { doorOf } from '../../support/sandbox.ts'
import { clusterOf, sandboxClusters } from '../replay-clusters.ts'
import { playAll } from './play-all.ts'
import { recordedTimelines } from './recorded.ts'

const wanted = process.argv.slice(2)
const kubeconfig = process.env['KUBECONFIG']
const all = recordedTimelines()
if (all === null) throw new TypeError('the recordings are not beside this checkout')
const timelines = all.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
await using clusters =
  kubeconfig === undefined ? await sandboxClusters(Math.min(6, timelines.length)) : await clusterOf(await doorOf(kubeconfig))
const differing = await playAll(clusters, timelines, process.env['IMAGES_URL'])
const say = (line: string): void => void process.stdout.write(`${line}\n`)
for (const { id, title } of timelines) {
  const found = differing.get(id)
  say([`${found ? 'differs' : 'same   '} ${id}: ${title}`, ...(found ?? []).map((line) => `    ${line.slice(0, 300)}`)].join('\n'))
}
say(`${timelines.length - differing.size} of ${timelines.length}`)
