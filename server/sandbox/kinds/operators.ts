import { type Schema } from '../objects/resource.ts'
import { atomicList, each, object, oneOf, structOf, text, textMap } from '../objects/schema.ts'
import { affinity, tolerations } from './shared.ts'

/* Schemas that the configurations of KubeVirt and CDI share. */

/** The lifetime of a certificate, and the time before its end at which it is renewed. */
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
