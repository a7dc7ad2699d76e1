/**
 * The only `pg_notify` channel. A commit with changes or with work for reconcilers notifies it (the
 * doorbell). The change log tells which rows changed; the payload only says whether reconcilers may
 * have work.
 */
export const changeChannel = 'berth'
export const workPayload = 'work'
