/**
 * The one channel of the doorbell. What has changed is in the log; a ring only says whether
 * somebody is asked to work as well.
 */
export const changeChannel = 'berth'
export const workRung = 'work'
