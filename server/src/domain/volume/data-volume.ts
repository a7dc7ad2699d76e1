/** An observed DataVolume, with CDI's own phase and reasons. */
export interface ObservedDataVolume {
  uid: string
  /** The row id in its label; null when Berth does not own the object. */
  rowId: string | null
  /** True during deletion; finalizers may still delay it. */
  isDeleting: boolean
  /** Empty until CDI has processed the DataVolume. */
  phase: string
  /** The progress that CDI reports; null before. */
  percent: number | null
  /** The number of restarts of the importer pod. */
  restarts: number
  bound: ObservedCondition
  running: ObservedCondition
}

export interface ObservedCondition {
  isTrue: boolean
  reason: string
  message: string
}
