import { each, object, text, time } from '../../objects/schema.ts'

/** The condition of CDI. */
export const condition = object(
  {
    ...each(text, 'type', 'status', 'reason', 'message'),
    ...each(time, 'lastHeartbeatTime', 'lastTransitionTime'),
  },
  'type',
  'status',
)

/** An object of any namespace. */
export const namespacedName = object(each(text, 'name', 'namespace'), 'name', 'namespace')
