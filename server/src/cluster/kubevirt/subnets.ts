import { checkedName } from '../refs.ts'
import { type SubnetReader } from '../reader.ts'
import { readObject } from './apply.ts'
import { isTrue } from './conditions.ts'
import { manifests } from './manifests.ts'
import { seenObject } from './seen-object.ts'
import { type Transport } from './transport.ts'

export const subnetReader = (transport: Transport): SubnetReader => ({
  async getSubnet({ name }) {
    const object = await readObject(transport, { of: manifests.subnet.of, name: checkedName(name) })
    return object && { ...seenObject(object), isReady: isTrue(object, 'Ready') }
  },
})
