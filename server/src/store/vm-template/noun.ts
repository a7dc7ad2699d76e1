import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { VmTemplate } from './vm-template-entity.ts'
import { templateKeys } from './vm-template-keys.ts'
import { VmTemplateReads } from './vm-template-reads.ts'
import { VmTemplateStore } from './vm-template.ts'

export const vmTemplateNoun = {
  entities: [VmTemplate],
  reads: { vmTemplates: VmTemplateReads },
  stores: {
    vmTemplates: (unit: UnitTools, reader: Reader) => new VmTemplateStore(unit, reader),
  },
  keys: { vm_template: templateKeys },
} satisfies NounParts
