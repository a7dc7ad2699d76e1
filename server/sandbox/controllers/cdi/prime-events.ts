import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { controllerOf } from '../owners.ts'
import { read } from '../../objects/read.ts'
import { names } from '../../objects/storage/names.ts'

const isOfPrime = ({ involvedObject }: KubeObject): boolean => {
  const { kind, name } = read.map(involvedObject)
  return kind === 'PersistentVolumeClaim' && read.text(name).startsWith('prime-')
}

/** Copies the events of a PVC prime to its target PVC, which users look at. */
export const primeEvents: Controller = {
  name: 'import-populator',
  sources: [{ kind: 'events', keysOf: (event) => (isOfPrime(event) ? ownKey(event) : []) }],
  reconcile(client, { namespace, name }) {
    const event = client.get('events', namespace, name)
    const primeName = read.text(read.at(event, 'involvedObject', 'name'))
    const prime = client.get(names.claims, namespace, primeName)
    const target = prime && client.get(names.claims, namespace, controllerOf(prime)?.name ?? '')
    if (!event || !target) return undefined
    const type = event.type === 'Warning' ? 'Warning' : 'Normal'
    client.record(target, {
      type,
      reason: read.text(event.reason),
      message: `[${primeName}] : ${read.text(event.message)}`,
    })
    return undefined
  },
}
