/** The steps of a run. A run is not an operation: clients follow the operation of the snapshot. */
export const scheduleSteps = ['take', 'settle'] as const

/** Returns the failpoint of a step, such as `snapshot_schedule.take`. */
export const scheduleFailpoint = (step: (typeof scheduleSteps)[number]): string =>
  `snapshot_schedule.${step}`
