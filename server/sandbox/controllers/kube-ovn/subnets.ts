import { clock } from '../../clock.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../finalizers.ts'
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
      keysOf: ({ metadata }, client) => subnetsOf(client, metadata.name).flatMap(ownKey),
    },
    {
      kind: 'pods',
      keysOf: (_pod, client) => client.list(names.subnets).filter(isDeleted).flatMap(ownKey),
    },
  ],
  reconcile(client, { name }) {
    const subnet = client.get(names.subnets, undefined, name)
    if (!subnet) return undefined
    const used = client
      .list('pods')
      .filter((pod) => !isPodOver(pod) && hasAddressOf(pod, subnet)).length
    if (isDeleted(subnet)) {
      if (used === 0 && hasFinalizer(subnet, names.finalizer))
        client.release(names.subnets, subnet, names.finalizer)
      return undefined
    }
    const protectedSubnet = client.change(
      names.subnets,
      subnet,
      withFinalizer(subnet, names.finalizer),
    )
    if (client.get(names.vpcs, undefined, read.text(read.spec(protectedSubnet).vpc)))
      markReady(client, protectedSubnet, used)
    return undefined
  },
}

const subnetsOf = (client: Client, vpc: string): KubeObject[] =>
  client.list(names.subnets).filter((subnet) => read.spec(subnet).vpc === vpc)

const hasAddressOf = (
  { metadata: { annotations = {} } }: KubeObject,
  subnet: KubeObject,
): boolean =>
  annotations[`${read.text(read.spec(subnet).provider)}.kubernetes.io/ip_address`] !== undefined

function markReady(client: Client, subnet: KubeObject, used: number): void {
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
  client.setStatus(names.subnets, subnet, {
    ...read.status(subnet),
    conditions: [known ?? ready],
    v4usingIPs: used,
  })
}
