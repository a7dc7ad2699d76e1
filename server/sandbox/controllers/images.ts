import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Client } from './client.ts'
import { read } from '../objects/read.ts'

/*
 * The sandbox pulls no images, so every image exists. Exceptions, for tests: an invalid reference,
 * a registry under `.invalid`, and a name that contains `does-not-exist`.
 */
const reference =
  /^[a-z0-9]+([._-][a-z0-9]+)*(:\d+)?(\/[a-z0-9]+([._]{1,2}[a-z0-9]+|-+[a-z0-9]+)*)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/

export function isPullable(image: string): boolean {
  const [registry = ''] = image.split('/')
  return (
    reference.test(image) &&
    !image.includes('does-not-exist') &&
    !/\.invalid(:\d+)?$/.test(registry)
  )
}

/** The first image of a pod that cannot be pulled. */
export function missingImageOf(pod: KubeObject): string | undefined {
  const { containers, initContainers, volumes } = read.spec(pod)
  const images = [...read.maps(containers), ...read.maps(initContainers)].map(({ image }) =>
    read.text(image),
  )
  const mounted = read.maps(volumes).map((volume) => read.text(read.at(volume.image, 'reference')))
  return [...images, ...mounted].filter((image) => image !== '').find((image) => !isPullable(image))
}

/**
 * Reports a failed image pull in the pod: ErrImagePull the first time, ImagePullBackOff afterwards.
 */
export function reportMissingImage(client: Client, pod: KubeObject, image: string): void {
  const status = read.status(pod)
  const known = read.text(
    read.at(read.maps(status.containerStatuses)[0], 'state', 'waiting', 'reason'),
  )
  const isFirst = known !== 'ErrImagePull' && known !== 'ImagePullBackOff'
  const why =
    /^[a-z0-9]/.test(image) && reference.test(image)
      ? `failed to pull and unpack image "${image}": failed to resolve reference "${image}": not found`
      : `couldn't parse image name "${image}": invalid reference format`
  const reason = isFirst ? 'ErrImagePull' : 'ImagePullBackOff'
  const message = isFirst ? why : `Back-off pulling image "${image}": ErrImagePull: ${why}`
  if (isFirst)
    client.record(pod, { type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"` })
  if (isFirst)
    client.record(pod, {
      type: 'Warning',
      reason: 'Failed',
      message: `Failed to pull image "${image}": ${why}`,
    })
  else
    client.record(pod, {
      type: 'Normal',
      reason: 'BackOff',
      message: `Back-off pulling image "${image}"`,
    })
  client.record(pod, { type: 'Warning', reason: 'Failed', message: `Error: ${reason}` })
  const waiting = (container: JsonMap): JsonMap => ({
    name: container.name,
    image: container.image,
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason, message } },
  })
  client.setStatus('pods', pod, {
    ...status,
    containerStatuses: read.maps(read.spec(pod).containers).map(waiting),
  })
}
