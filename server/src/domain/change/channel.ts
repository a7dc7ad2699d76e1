/** The one channel of the doorbell. It carries no payload: whoever hears it reads the log. */
export const changeChannel = 'berth'
