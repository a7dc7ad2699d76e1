import { each, object, text, time } from '../../objects/schema.ts'

/* Parts that the schemas of several CDI kinds share. */

/** CDI's conditions have a heartbeat time, unlike those of KubeVirt. */
export const condition = object(
  {
    ...each(text, 'type', 'status', 'reason', 'message'),
    ...each(time, 'lastHeartbeatTime', 'lastTransitionTime'),
  },
  'type',
  'status',
)

/** Names an object in any namespace. */
export const namespacedName = object(each(text, 'name', 'namespace'), 'name', 'namespace')
