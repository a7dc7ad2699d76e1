/** A volume that the cluster fills, as it was seen: the cluster's own words, not yet judged. */
export interface SeenDataVolume {
  uid: string
  /** Null on an object that is not ours. */
  rowId: string | null
  /** It goes; something may still hold it. */
  isDeleting: boolean
  /** Empty until somebody has looked at it. */
  phase: string
  /** Null until it can be told. */
  percent: number | null
  /** How often whoever fills it began again. */
  restarts: number
  bound: SeenCondition
  running: SeenCondition
}

export interface SeenCondition {
  isTrue: boolean
  reason: string
  message: string
}
