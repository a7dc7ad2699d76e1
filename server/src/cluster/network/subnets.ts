import { checkedName } from '../../engine/kube/refs.ts'
import { type SubnetReader } from '../reader.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { isTrue } from '../vm/conditions.ts'
import { manifests } from '../manifests.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/** Reads Kube-OVN subnets, and whether VMs can use them. */
export const subnetReader = (transport: Transport): SubnetReader => ({
  async getSubnet({ name }) {
    const object = await readObject(transport, { of: manifests.subnet.of, name: checkedName(name) })
    return object && { ...observedObject(object), isReady: isTrue(object, 'Ready') }
  },
})
