import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'
import { manifests } from '../manifests.ts'
import { type VlanTagReader } from '../reader.ts'

const pageSize = 500

/** Reads which VLAN tags of a bridge the attachments of the whole cluster use. */
export const vlanTagReader = (transport: Transport): VlanTagReader => ({
  async listVlanTags({ bridge }) {
    const tags: number[] = []
    let after: string | null = null
    do {
      const query = { limit: String(pageSize), ...(after === null ? {} : { continue: after }) }
      const answer = await transport.call({ method: 'GET', of: manifests.network.of, query })
      const list = listIn(answer.body)
      tags.push(...list.items.flatMap((attachment) => tagsOn(bridge, attachment)))
      after = list.after
    } while (after !== null)
    return [...new Set(tags)]
  },
})

/** A configuration is one plugin or a list of them. Other clients may have written anything. */
export function tagsOn(bridge: string, attachment: ApiObject): number[] {
  const config = parsed(textAt(attachment, 'spec', 'config') ?? '')
  return [config, ...listAt(config, 'plugins')].flatMap((plugin) => {
    const tag = fieldAt(plugin, 'vlan')
    return textAt(plugin, 'bridge') === bridge && typeof tag === 'number' ? tag : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
