/**
 * The only channel of the doorbell. The log tells which rows changed; the payload only says whether
 * there is work as well.
 */
export const changeChannel = 'berth'
export const workPayload = 'work'
