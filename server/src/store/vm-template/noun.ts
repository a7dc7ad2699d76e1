import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { VmTemplate } from './vm-template-entity.ts'
import { templateKeys } from './vm-template-keys.ts'
import { VmTemplateReads } from './vm-template-reads.ts'
import { VmTemplateStore } from './vm-template.ts'

/** The part of the store for VM templates: tables, queries and work keys for the reconciler. */
export const vmTemplateNoun = {
  entities: [VmTemplate],
  reads: { vmTemplates: VmTemplateReads },
  stores: { vmTemplates: VmTemplateStore },
  workKeys: { vm_template: templateKeys },
  goneWithTenant: [VmTemplate],
  constraints: {
    vm_template_name_key: messageOf('template.name_taken_meanwhile'),
  },
} satisfies NounParts
