import { type InferInput, nonEmpty, object, picklist, pipe, string, trim } from 'valibot'
import type { VmTemplateRow } from '../../api/vm/vm-templates.ts'
import { whole, atMost } from '../../composables/fields.ts'
import { t } from '../../words/t.ts'

export const templateSchema = object({
  sourceType: picklist(['container', 'iso']),
  name: pipe(
    string(),
    trim(),
    nonEmpty(() => t('Give it a name')),
    atMost(200),
  ),
  image: pipe(
    string(),
    trim(),
    nonEmpty(() => t('Say where the image is')),
  ),
  osType: picklist(['linux', 'windows']),
  isoSizeGi: whole({ most: 1024, unit: 'GiB' }),
  bootDiskSizeGi: whole({ most: 65_536, unit: 'GiB' }),
  description: pipe(string(), trim(), atMost(2000)),
  cloudInitUserData: string(),
})

type TemplateValues = InferInput<typeof templateSchema>

const empty: TemplateValues = {
  sourceType: 'container',
  name: '',
  image: '',
  osType: 'linux',
  isoSizeGi: '8',
  bootDiskSizeGi: '32',
  description: '',
  cloudInitUserData: '',
}

/** What the form begins with. */
export function templateValues(given: VmTemplateRow | null): TemplateValues {
  if (!given) return empty
  const { sourceType, displayName: name, image, osType, description } = given
  const sizes = { isoSizeGi: String(given.isoSizeGi), bootDiskSizeGi: String(given.bootDiskSizeGi) }
  return {
    sourceType,
    name,
    image,
    osType,
    description,
    ...sizes,
    cloudInitUserData: given.cloudInitUserData ?? '',
  }
}
