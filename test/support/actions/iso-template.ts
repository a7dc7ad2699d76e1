import { type Images } from '../sandbox/image-server.ts'
import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type WorldTenant, unique } from '../world/world.ts'

const create =
  'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id name } } }'
const state = 'query ($id: ID!) { vmTemplate(id: $id) { state } }'

/** Creates a template from an ISO and waits until it is imported. The caller closes the images. */
export async function importedIso(
  tenant: WorldTenant,
  images: Images,
  more: Record<string, unknown> = {},
): Promise<Json> {
  const i = {
    name: unique('iso'),
    sourceType: 'iso',
    image: `${images.origin}/small.iso`,
    isoSizeGi: 1,
    bootDiskSizeGi: 2,
    ...more,
  }
  const { vmTemplate } = (await tenant.admin.ask(create, { i })).createVmTemplate
  const isActive = async (): Promise<boolean> =>
    (await tenant.admin.ask(state, { id: vmTemplate.id })).vmTemplate.state === 'Active'
  await waitFor(isActive, { timeoutMs: 15_000, everyMs: 50, what: 'the ISO to be imported' })
  return vmTemplate
}
