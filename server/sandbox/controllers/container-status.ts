import { createHash } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'

/*
 * Container statuses as the kubelet reports them; no process runs in these containers. Images have
 * no content, so a digest is derived from the name: equal names have equal digests.
 */

interface Statuses {
  containerStatuses: JsonMap[]
  initContainerStatuses?: JsonMap[]
}

/**
 * The container statuses of a running pod: init containers have completed, sidecars and main
 * containers run.
 */
export function runningContainers(pod: KubeObject, now: string): Statuses {
  const { containers, initContainers } = read.spec(pod)
  const running = { running: { startedAt: now } }
  const completed = {
    terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now },
  }
  const containerStatuses = read.maps(containers).map((each) => statusOf(pod, each, running))
  if (initContainers === undefined) return { containerStatuses }
  const initStatuses = read
    .maps(initContainers)
    .map((each) => statusOf(pod, each, each.restartPolicy === 'Always' ? running : completed))
  return { containerStatuses, initContainerStatuses: initStatuses }
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
    imageID: imageWithDigest(image),
    containerID: `containerd://${hashOf(`${uid}/${name}`)}`,
  }
}

/** The image by its digest, without its tag. */
function imageWithDigest(image: string): string {
  if (image === '' || image.includes('@')) return image
  return `${image.replace(/:[^:/]*$/, '')}@sha256:${hashOf(image)}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
