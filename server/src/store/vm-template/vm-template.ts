import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { notFound } from '../../engine/model/fault.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { VmTemplate } from './vm-template-entity.ts'
import { type TakenName, takenName } from '../../engine/database/sql/is-named.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { vmTemplateViewColumns } from './vm-template-reads.ts'

type NewColumns =
  | 'name'
  | 'displayName'
  | 'description'
  | 'image'
  | 'sourceType'
  | 'osType'
  | 'cloudInitUserData'
  | 'isoSizeGi'
  | 'bootDiskSizeGi'
  | 'storageClass'

type ObservedColumns =
  | ('importObservedGeneration' | 'importState' | 'importReason' | 'importDetail' | 'clusterUid')
  | ('importPercent' | 'importedBytes' | 'totalBytes' | 'bytesPerSecond' | 'importEtaSeconds')

/** The columns that only the reconciler writes. */
export type ObservedImport = Partial<Pick<VmTemplate, ObservedColumns>>

export interface NewVmTemplateRow extends Pick<VmTemplateView, NewColumns> {
  tenantId: string
}

/** Writes VM templates in the transaction of a unit of work. */
export class VmTemplateStore extends UnitStore {
  /**
   * Inserts a template. One from a registry is ready at once; an ISO begins with its first import.
   */
  async insert(values: NewVmTemplateRow): Promise<VmTemplateView> {
    const isImport = values.sourceType === 'iso'
    return insertTemplate(this.reader, {
      id: newId(),
      ...values,
      importGeneration: isImport ? 1 : 0,
      importState: isImport ? 'importing' : 'ready',
    })
  }

  /** Returns a template of the tenant, locked until the unit ends. */
  async get(id: string): Promise<VmTemplate> {
    const own = { id, tenantId: { $ne: null }, goneAt: null }
    const template = isId(id) ? await this.lockRow(VmTemplate, own) : null
    if (!template) throw notFound('template', id)
    return template
  }

  takenName(tenantId: string, name: string): Promise<TakenName | null> {
    return takenName(this.reader, 'vm_template', { tenantId, name })
  }

  /** Records the request. The reconciler deletes the volume. */
  requestDelete(template: VmTemplate): void {
    template.deleteRequestedAt = raw('now()')
  }

  /** Requests another import. The observed state of the last one no longer counts. */
  requestImport(template: VmTemplate, url: string): void {
    template.image = url
    template.importGeneration += 1
  }

  /** Returns the row, locked, even when the template is gone; null when it never existed. */
  row(id: string): Promise<VmTemplate | null> {
    return this.lockRow(VmTemplate, { id })
  }

  /** Records the observed state of the import. Only the reconciler calls this. */
  observe(template: VmTemplate, observed: ObservedImport): void {
    Object.assign(template, observed)
    template.observedAt = raw('now()')
  }

  /** Marks the template as gone, when the cluster has nothing of it. The row stays as a record. */
  markGone(template: VmTemplate): void {
    template.goneAt = raw('now()')
  }
}

const insertTemplate = insertInto('vm_template', (row) => row.returning(vmTemplateViewColumns))
