import { clock } from '../../clock.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../holds.ts'
import { isPodOver } from '../pods.ts'
import { read } from '../../objects/read.ts'
import { names } from './names.ts'

/**
 * Makes a subnet ready when its VPC exists, and holds its finalizer while a pod has one of its
 * addresses.
 */
export const subnets: Controller = {
  name: 'kube-ovn-controller',
  sources: [
    { kind: names.subnets, keysOf: ownKey },
    {
      kind: names.vpcs,
      keysOf: ({ metadata }, desk) => behind(desk, metadata.name).flatMap(ownKey),
    },
    {
      kind: 'pods',
      keysOf: (_pod, desk) => desk.list(names.subnets).filter(isDeleted).flatMap(ownKey),
    },
  ],
  reconcile(desk, { name }) {
    const subnet = desk.get(names.subnets, undefined, name)
    if (!subnet) return undefined
    const used = desk
      .list('pods')
      .filter((pod) => !isPodOver(pod) && hasAddressOf(pod, subnet)).length
    if (isDeleted(subnet)) {
      if (used === 0 && hasFinalizer(subnet, names.finalizer))
        desk.release(names.subnets, subnet, names.finalizer)
      return undefined
    }
    const held = desk.change(names.subnets, subnet, withFinalizer(subnet, names.finalizer))
    if (desk.get(names.vpcs, undefined, read.text(read.spec(held).vpc))) open(desk, held, used)
    return undefined
  },
}

const behind = (desk: Desk, vpc: string): KubeObject[] =>
  desk.list(names.subnets).filter((subnet) => read.spec(subnet).vpc === vpc)

const hasAddressOf = (
  { metadata: { annotations = {} } }: KubeObject,
  subnet: KubeObject,
): boolean =>
  annotations[`${read.text(read.spec(subnet).provider)}.kubernetes.io/ip_address`] !== undefined

function open(desk: Desk, subnet: KubeObject, used: number): void {
  const known = read
    .maps(read.status(subnet).conditions)
    .find(({ type, status }) => type === 'Ready' && status === 'True')
  const now = clock.timestamp()
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'ResetLogicalSwitchAclSuccess',
    lastUpdateTime: now,
    lastTransitionTime: now,
  }
  desk.setStatus(names.subnets, subnet, {
    ...read.status(subnet),
    conditions: [known ?? ready],
    v4usingIPs: used,
  })
}
