import { request } from 'node:https'
import { type KubeDoor } from '../../../../test/support/sandbox/sandbox.ts'
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

interface Seen {
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

export interface Watched {
  events: TimelineEvent[]
  /** Kubernetes events of before. */
  earlier: NoticeEvent[]
  stop(): void
}

/** Watches all that the recordings watched, from what is there now on. */
export async function watchAll(door: KubeDoor, namespace: string): Promise<Watched> {
  const events: TimelineEvent[] = []
  const earlier: NoticeEvent[] = []
  const tell: Ask['tell'] = (event) => void events.push(event)
  const stops = await Promise.all(
    Object.entries(groups).map(([kind, place]) =>
      watchKind(door, { kind, place, namespace, tell, earlier }),
    ),
  )
  const stop = (): void => {
    for (const each of stops) each()
  }
  return { events, earlier, stop }
}

interface Ask {
  kind: string
  place: string
  namespace: string
  tell(event: TimelineEvent): void
  earlier: NoticeEvent[]
}

async function watchKind(
  door: KubeDoor,
  { kind, place, namespace, tell, earlier }: Ask,
): Promise<() => void> {
  const [group = '', plural = ''] = place.split(' ')
  const path = `${group}/${plural}`
  const { status, body } = await door.call(path)
  if (status !== 200) throw new TypeError(`${path} answered ${status}`)
  const isOurs = (object: Seen): boolean => isOf(namespace, object)
  const last = new Map<string, Seen>()
  // The list is of the kind that was asked for.
  for (const item of body.items as unknown as Seen[]) {
    last.set(item.metadata.uid, item)
    if (kind === 'Event' && isOurs(item)) earlier.push(noticeOf(item))
  }
  return stream(
    door,
    `${path}?watch=true&resourceVersion=${body.metadata.resourceVersion}`,
    (type, object) => {
      if (!isOurs(object)) return
      if (kind === 'Event') return tell(noticeOf(object))
      const event = eventOf(kind, type, { object, before: last.get(object.metadata.uid) })
      last.set(object.metadata.uid, object)
      tell(event)
    },
  )
}

/** Of the namespace, or bound to something of it. */
function isOf(namespace: string, { kind, metadata, spec }: Seen): boolean {
  if (kind === 'Namespace') return metadata.name === namespace
  const place =
    metadata.namespace ?? spec?.claimRef?.namespace ?? spec?.volumeSnapshotRef?.namespace
  return place === namespace
}

const noticeOf = ({ involvedObject, reason = '', type = '', message = '' }: Seen): NoticeEvent => ({
  kind: 'Event',
  reason,
  eventType: type,
  message,
  about: `${involvedObject?.kind}/${involvedObject?.name}`,
})

/** As the recordings tell it: what is not as it was. */
function eventOf(
  kind: string,
  type: string,
  { object, before }: { object: Seen; before: Seen | undefined },
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

const fieldsOf = ({ metadata, status = {} }: Seen): Record<string, unknown> => ({
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
    // Conditions have this form in every kind.
    (value as { type: string; status: string; reason?: string }[]).map(
      ({ type, status, reason }) => [type, reason ? `${status}:${reason}` : status],
    ),
  )

function stream(
  door: KubeDoor,
  path: string,
  take: (type: string, object: Seen) => void,
): Promise<() => void> {
  const { hostname, port } = new URL(door.url)
  const headers = { authorization: `Bearer ${door.token}`, accept: 'application/json' }
  return new Promise((done, failed) => {
    const sent = request(
      { hostname, port, path, headers, ...(door.ca === undefined ? {} : { ca: door.ca }) },
      (response) => {
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) {
            const { type, object } = JSON.parse(line) as { type: string; object: Seen }
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
