import { type InferInput, nonEmpty, object, picklist, pipe, string, trim } from 'valibot'
import type { VmTemplateRow } from '../../api/vm/vm-templates.ts'
import { guestSystems } from '../../components/vm/system-label.ts'
import { wholeNumber, atMost } from '../../composables/fields.ts'
import { t } from '../../i18n/t.ts'

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
  osType: picklist(guestSystems),
  isoSizeGi: wholeNumber({ most: 1024, unit: 'GiB' }),
  bootDiskSizeGi: wholeNumber({ most: 65_536, unit: 'GiB' }),
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

/** Returns the initial values of the form. */
export function templateValues(template: VmTemplateRow | null): TemplateValues {
  if (!template) return empty
  const { sourceType, displayName: name, image, osType, description } = template
  const sizes = {
    isoSizeGi: String(template.isoSizeGi),
    bootDiskSizeGi: String(template.bootDiskSizeGi),
  }
  return {
    sourceType,
    name,
    image,
    osType,
    description,
    ...sizes,
    cloudInitUserData: template.cloudInitUserData ?? '',
  }
}
