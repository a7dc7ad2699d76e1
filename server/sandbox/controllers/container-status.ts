import { createHash } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'

/*
 * What the kubelet says of containers in which nothing runs. Images have no content here either, so
 * the digest of one is made from its name: the same for all, and another for another.
 */

interface Statuses {
  containerStatuses: JsonMap[]
  initContainerStatuses?: JsonMap[]
}

/** Of a pod that has come up: what had to run before it has run, what runs beside it runs. */
export function runningContainers(pod: KubeObject, now: string): Statuses {
  const { containers, initContainers } = read.spec(pod)
  const running = { running: { startedAt: now } }
  const completed = {
    terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now },
  }
  const containerStatuses = read.maps(containers).map((each) => statusOf(pod, each, running))
  if (initContainers === undefined) return { containerStatuses }
  const early = read
    .maps(initContainers)
    .map((each) => statusOf(pod, each, each.restartPolicy === 'Always' ? running : completed))
  return { containerStatuses, initContainerStatuses: early }
}

function statusOf(
  { metadata: { uid = '' } }: KubeObject,
  container: JsonMap,
  state: JsonMap,
): JsonMap {
  const [name, image] = [read.text(container.name), read.text(container.image)]
  return {
    name,
    state,
    lastState: {},
    ready: true,
    started: true,
    restartCount: 0,
    image,
    imageID: exactly(image),
    containerID: `containerd://${hashOf(`${uid}/${name}`)}`,
  }
}

/** The image without its tag, by its digest. */
function exactly(image: string): string {
  if (image === '' || image.includes('@')) return image
  return `${image.replace(/:[^:/]*$/, '')}@sha256:${hashOf(image)}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
