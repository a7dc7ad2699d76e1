import { manifestOf } from '../../../server/src/cluster/objects.ts'
import { type ObjectNoun, clusterScopedNouns } from '../../../server/src/cluster/reader.ts'
import { type DesiredObject } from '../../../server/src/cluster/desired/desired.ts'
import { type Json } from '../json.ts'
import { name, desiredObjects } from './desired-objects.ts'
import { fc } from '../property-testing.ts'

/** The row ID and the tenant ID of all generated objects. */
export const id = '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f'

/** Generates random desired objects of a noun for property tests. */
export const desiredObjectsOf = <N extends ObjectNoun>(noun: N): fc.Arbitrary<DesiredObject<N>> =>
  fc.record({
    noun: fc.constant(noun),
    // `clusterScopedNouns` decides at run time what the type decides at compile time.
    namespace: (clusterScopedNouns.some((each) => each === noun)
      ? fc.constant(null)
      : name) as fc.Arbitrary<DesiredObject<N>['namespace']>,
    name,
    tenantId: fc.constant(id),
    rowId: fc.constant(id),
    uid: fc.constant(null),
    spec: desiredObjects[noun],
  })

/** The manifest after a JSON round trip, so that undefined fields are gone. */
export const sent = (desired: DesiredObject<ObjectNoun>): Json =>
  JSON.parse(JSON.stringify(manifestOf(desired).content))
