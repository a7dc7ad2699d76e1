/** The steps of a run, which is no operation: what a tenant is promised is the snapshot. */
export const scheduleSteps = ['take', 'settle'] as const

/** The failpoint’s name of a step: `snapshot_schedule.take`. */
export const schedulePoint = (step: (typeof scheduleSteps)[number]): string =>
  `snapshot_schedule.${step}`
