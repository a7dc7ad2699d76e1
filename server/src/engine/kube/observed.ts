/** The observed metadata of an object of any kind. The mapping of each noun reads the rest. */
export interface ObservedObject {
  /** Empty for cluster-scoped objects. */
  namespace: string
  name: string
  uid: string
  version: string
  /**
   * Counts changes of the desired state, while `version` also counts changes of the status. Null
   * for kinds without a generation.
   */
  generation: number | null
  /** The owner from the labels; null for an object that Berth does not own. */
  tenantId: string | null
  rowId: string | null
  /** True while the object is being deleted; a finalizer may still hold it. */
  isDeleting: boolean
}

export interface ObjectRef {
  /** The namespace; null for cluster-scoped objects. */
  namespace: string | null
  name: string
}

export interface PageRequest {
  limit: number
  /** The end of the previous page; null for the first page. */
  after: string | null
}

export interface Page<Item> {
  items: Item[]
  after: string | null
}
