import { type Schema } from '../objects/resource.ts'
import { atomicList, each, object, oneOf, structOf, text, textMap } from '../objects/schema.ts'
import { affinity, tolerations } from './shared.ts'

/** What the configurations of KubeVirt and of CDI have in common. */

/** How long a certificate lives. */
export const certificateTerm = structOf(text, 'duration', 'renewBefore')

export const tlsVersion = oneOf('VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13')

const named: Schema = { ...text, minLength: 1 }

export const componentPatches = atomicList(
  object(
    { ...each(text, 'patch', 'type'), ...each(named, 'resourceName', 'resourceType') },
    'patch',
    'resourceName',
    'resourceType',
    'type',
  ),
)

export const nodePlacement = object({ affinity, nodeSelector: textMap, tolerations })
