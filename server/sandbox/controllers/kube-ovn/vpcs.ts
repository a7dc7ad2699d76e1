import { type Controller, ownKey } from '../controller.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { names } from './names.ts'

/** Holds the finalizer of a VPC while it has subnets. */
export const vpcs: Controller = {
  name: 'kube-ovn-controller',
  sources: [
    { kind: names.vpcs, keysOf: ownKey },
    {
      kind: names.subnets,
      keysOf: (subnet) => [{ namespace: undefined, name: read.text(read.spec(subnet).vpc) }],
    },
  ],
  reconcile(client, { name }) {
    const vpc = client.get(names.vpcs, undefined, name)
    if (!vpc) return undefined
    const vpcSubnets = client.list(names.subnets).filter((subnet) => read.spec(subnet).vpc === name)
    if (isDeleted(vpc)) {
      if (vpcSubnets.length === 0 && hasFinalizer(vpc, names.finalizer))
        client.release(names.vpcs, vpc, names.finalizer)
      return undefined
    }
    const protectedVpc = client.change(names.vpcs, vpc, withFinalizer(vpc, names.finalizer))
    const subnets = vpcSubnets.map(({ metadata }) => metadata.name).sort()
    client.setStatus(names.vpcs, protectedVpc, {
      ...read.status(protectedVpc),
      standby: true,
      default: false,
      router: name,
      subnets,
    })
    return undefined
  },
}
