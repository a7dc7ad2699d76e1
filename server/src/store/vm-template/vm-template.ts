import { LockMode, raw } from '@mikro-orm/postgresql'
import { notFound } from '../../engine/model/fault.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { VmTemplate } from './vm-template-entity.ts'
import { isNamed } from '../../engine/database/sql/is-named.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { type UnitTools } from '../../engine/database/unit.ts'
import { shownOfTemplate } from './vm-template-reads.ts'

type Given =
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

type Seen =
  | ('importSeenGeneration' | 'importState' | 'importReason' | 'importDetail' | 'clusterUid')
  | ('importPercent' | 'importedBytes' | 'totalBytes' | 'bytesPerSecond' | 'importEtaSeconds')

/** The columns that only observation writes. */
export type SeenImport = Partial<Pick<VmTemplate, Seen>>

export interface NewVmTemplateRow extends Pick<VmTemplateView, Given> {
  tenantId: string
}

export class VmTemplateStore {
  readonly #unit: Pick<UnitTools, 'em'>
  readonly #reader: Reader

  constructor(unit: Pick<UnitTools, 'em'>, reader: Reader) {
    this.#unit = unit
    this.#reader = reader
  }

  /** What comes from a registry is there at once; an ISO begins with its first import. */
  async insert(values: NewVmTemplateRow): Promise<VmTemplateView> {
    const isImport = values.sourceType === 'iso'
    return insertTemplate(this.#reader, {
      id: newId(),
      ...values,
      importGeneration: isImport ? 1 : 0,
      importState: isImport ? 'importing' : 'ready',
    })
  }

  /** One of the tenant's own, locked until the unit ends. */
  async get(id: string): Promise<VmTemplate> {
    const own = { id, tenantId: { $ne: null }, goneAt: null }
    const template = isId(id)
      ? await this.#unit.em.findOne(VmTemplate, own, { lockMode: LockMode.PESSIMISTIC_WRITE })
      : null
    if (!template) throw notFound('template', id)
    return template
  }

  nameTaken(tenantId: string, name: string): Promise<boolean> {
    return isNamed(this.#reader, 'vm_template', { tenantId, name })
  }

  /** Only the request; the reconciler sees to the volume. */
  requestDelete(template: VmTemplate): void {
    template.deleteRequestedAt = raw('now()')
  }

  /** The import is asked for once more; what was seen of the last one no longer counts. */
  requestImport(template: VmTemplate, url: string): void {
    template.image = url
    template.importGeneration += 1
  }

  /** The row whatever became of it, locked; null when there never was one. */
  row(id: string): Promise<VmTemplate | null> {
    return this.#unit.em.findOne(VmTemplate, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  }

  /** What was seen of its import; only the reconciler calls this. */
  observe(template: VmTemplate, seen: SeenImport): void {
    Object.assign(template, seen)
    template.seenAt = raw('now()')
  }

  /** Nothing of it is in the cluster, or no longer: the row stays as the record of what was. */
  markGone(template: VmTemplate): void {
    template.goneAt = raw('now()')
  }
}

const insertTemplate = insertInto('vm_template', (row) => row.returning(shownOfTemplate))
