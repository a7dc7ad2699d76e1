import { request } from 'node:https'
import { type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { type NoticeEvent, type ObjectEvent, type TimelineEvent } from './recorded.ts'

const groups = {
  VirtualMachine: '/apis/kubevirt.io/v1 virtualmachines',
  VirtualMachineInstance: '/apis/kubevirt.io/v1 virtualmachineinstances',
  VirtualMachineInstanceMigration: '/apis/kubevirt.io/v1 virtualmachineinstancemigrations',
  VirtualMachineSnapshot: '/apis/snapshot.kubevirt.io/v1beta1 virtualmachinesnapshots',
  VirtualMachineSnapshotContent:
    '/apis/snapshot.kubevirt.io/v1beta1 virtualmachinesnapshotcontents',
  VirtualMachineRestore: '/apis/snapshot.kubevirt.io/v1beta1 virtualmachinerestores',
  VirtualMachineClone: '/apis/clone.kubevirt.io/v1beta1 virtualmachineclones',
  DataVolume: '/apis/cdi.kubevirt.io/v1beta1 datavolumes',
  PersistentVolumeClaim: '/api/v1 persistentvolumeclaims',
  PersistentVolume: '/api/v1 persistentvolumes',
  Namespace: '/api/v1 namespaces',
  Pod: '/api/v1 pods',
  ControllerRevision: '/apis/apps/v1 controllerrevisions',
  VolumeSnapshot: '/apis/snapshot.storage.k8s.io/v1 volumesnapshots',
  VolumeSnapshotContent: '/apis/snapshot.storage.k8s.io/v1 volumesnapshotcontents',
  Event: '/api/v1 events',
}

interface ObservedObject {
  kind: string
  metadata: {
    name: string
    uid: string
    deletionTimestamp?: string
    finalizers?: string[]
    ownerReferences?: object[]
    namespace?: string
  }
  status?: Record<string, unknown>
  spec?: { claimRef?: { namespace: string }; volumeSnapshotRef?: { namespace: string } }
  reason?: string
  type?: string
  message?: string
  involvedObject?: { kind: string; name: string }
}

/** The events that a watch of a namespace has collected. */
export interface Watched {
  events: TimelineEvent[]
  /** Kubernetes Events from before the watch. */
  earlier: NoticeEvent[]
  stop(): void
}

/** Watches all recorded kinds from now on. */
export async function watchAll(client: KubeClient, namespace: string): Promise<Watched> {
  const events: TimelineEvent[] = []
  const earlier: NoticeEvent[] = []
  const publish: KindWatch['publish'] = (event) => void events.push(event)
  const stops = await Promise.all(
    Object.entries(groups).map(([kind, resourcePath]) =>
      watchKind(client, { kind, resourcePath, namespace, publish, earlier }),
    ),
  )
  const stop = (): void => {
    for (const each of stops) each()
  }
  return { events, earlier, stop }
}

interface KindWatch {
  kind: string
  resourcePath: string
  namespace: string
  publish(event: TimelineEvent): void
  earlier: NoticeEvent[]
}

async function watchKind(
  client: KubeClient,
  { kind, resourcePath, namespace, publish, earlier }: KindWatch,
): Promise<() => void> {
  const [group = '', plural = ''] = resourcePath.split(' ')
  const path = `${group}/${plural}`
  const { status, body } = await client.call(path)
  if (status !== 200) throw new TypeError(`${path} failed with ${status}`)
  const isSelected = (object: ObservedObject): boolean => isOf(namespace, object)
  const last = new Map<string, ObservedObject>()
  // The cast holds because the list is of the requested kind.
  for (const item of body.items as unknown as ObservedObject[]) {
    last.set(item.metadata.uid, item)
    if (kind === 'Event' && isSelected(item)) earlier.push(noticeOf(item))
  }
  return stream(
    client,
    `${path}?watch=true&resourceVersion=${body.metadata.resourceVersion}`,
    (type, object) => {
      if (!isSelected(object)) return
      if (kind === 'Event') return publish(noticeOf(object))
      const event = eventOf(kind, type, { object, before: last.get(object.metadata.uid) })
      last.set(object.metadata.uid, object)
      publish(event)
    },
  )
}

/** True for an object in the namespace, or bound to an object in it. */
function isOf(namespace: string, { kind, metadata, spec }: ObservedObject): boolean {
  if (kind === 'Namespace') return metadata.name === namespace
  const objectNamespace =
    metadata.namespace ?? spec?.claimRef?.namespace ?? spec?.volumeSnapshotRef?.namespace
  return objectNamespace === namespace
}

const noticeOf = ({
  involvedObject,
  reason = '',
  type = '',
  message = '',
}: ObservedObject): NoticeEvent => ({
  kind: 'Event',
  reason,
  eventType: type,
  message,
  about: `${involvedObject?.kind}/${involvedObject?.name}`,
})

/** Returns the event in the format of the recordings: only changed fields. */
function eventOf(
  kind: string,
  type: string,
  { object, before }: { object: ObservedObject; before: ObservedObject | undefined },
): ObjectEvent {
  const now = fieldsOf(object)
  const then = before ? fieldsOf(before) : {}
  const changed = Object.entries(now).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(then[name]),
  )
  return {
    kind,
    type: type as ObjectEvent['type'],
    name: object.metadata.name,
    fields: Object.fromEntries(changed),
  }
}

const fieldsOf = ({ metadata, status = {} }: ObservedObject): Record<string, unknown> => ({
  'status.printableStatus': status.printableStatus,
  'status.phase': status.phase,
  'status.complete': status.complete,
  'status.readyToUse': status.readyToUse,
  deletionTimestamp: metadata.deletionTimestamp === undefined ? undefined : true,
  finalizers: metadata.finalizers,
  ownerReferences: metadata.ownerReferences,
  conditions: status.conditions && conditionsOf(status.conditions),
})

const conditionsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    // The cast holds because conditions have this form in every kind.
    (value as { type: string; status: string; reason?: string }[]).map(
      ({ type, status, reason }) => [type, reason ? `${status}:${reason}` : status],
    ),
  )

function stream(
  client: KubeClient,
  path: string,
  take: (type: string, object: ObservedObject) => void,
): Promise<() => void> {
  const { hostname, port } = new URL(client.url)
  const headers = { authorization: `Bearer ${client.token}`, accept: 'application/json' }
  return new Promise((done, failed) => {
    const sent = request(
      { hostname, port, path, headers, ...(client.ca === undefined ? {} : { ca: client.ca }) },
      (response) => {
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) {
            const { type, object } = JSON.parse(line) as { type: string; object: ObservedObject }
            if (type !== 'BOOKMARK') take(type, object)
          }
        })
        response.on('error', () => undefined)
        done(() => sent.destroy())
      },
    )
    sent.on('error', failed)
    sent.end()
  })
}
