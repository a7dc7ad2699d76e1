import { type Controller, ownKey } from '../controller.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../holds.ts'
import { read } from '../../objects/read.ts'
import { names } from './names.ts'

/** Holds the finalizer of a VPC while it has subnets. */
export const routers: Controller = {
  name: 'kube-ovn-controller',
  sources: [
    { kind: names.vpcs, keysOf: ownKey },
    {
      kind: names.subnets,
      keysOf: (subnet) => [{ namespace: undefined, name: read.text(read.spec(subnet).vpc) }],
    },
  ],
  reconcile(desk, { name }) {
    const vpc = desk.get(names.vpcs, undefined, name)
    if (!vpc) return undefined
    const behind = desk.list(names.subnets).filter((subnet) => read.spec(subnet).vpc === name)
    if (isDeleted(vpc)) {
      if (behind.length === 0 && hasFinalizer(vpc, names.finalizer))
        desk.release(names.vpcs, vpc, names.finalizer)
      return undefined
    }
    const held = desk.change(names.vpcs, vpc, withFinalizer(vpc, names.finalizer))
    const subnets = behind.map(({ metadata }) => metadata.name).sort()
    desk.setStatus(names.vpcs, held, {
      ...read.status(held),
      standby: true,
      default: false,
      router: name,
      subnets,
    })
    return undefined
  },
}
