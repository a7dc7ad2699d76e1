/** What every kind has. What is particular to a noun is read by the noun's own mapping. */
export interface SeenObject {
  /** Empty for what belongs to none. */
  namespace: string
  name: string
  uid: string
  version: string
  /**
   * Counts what is wanted of it, other than the version, which counts what is seen as well; null
   * for kinds that do not.
   */
  generation: number | null
  /** Null on an object that is not ours. */
  tenantId: string | null
  rowId: string | null
  /** It goes; something may still hold it. */
  isDeleting: boolean
}

export interface ObjectRef {
  /** Null for what belongs to none. */
  namespace: string | null
  name: string
}

export interface PageRequest {
  limit: number
  /** Where the page before ended; null for the first. */
  after: string | null
}

export interface Page<Item> {
  items: Item[]
  after: string | null
}
