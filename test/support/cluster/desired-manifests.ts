import { manifestOf } from '../../../server/src/cluster/objects-of-nouns.ts'
import { type ObjectNoun, wideNouns } from '../../../server/src/cluster/reader.ts'
import { type WantedObject } from '../../../server/src/cluster/desired/desired.ts'
import { type Json } from '../json.ts'
import { name, wantedObjects } from './desired-objects.ts'
import { fc } from '../property-testing.ts'

/** The row ID and the tenant ID of all generated objects. */
export const id = '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f'

export const wishes = <N extends ObjectNoun>(noun: N): fc.Arbitrary<WantedObject<N>> =>
  fc.record({
    noun: fc.constant(noun),
    // `wideNouns` decides at run time what the type decides at compile time.
    namespace: (wideNouns.some((each) => each === noun) ? fc.constant(null) : name) as fc.Arbitrary<
      WantedObject<N>['namespace']
    >,
    name,
    tenantId: fc.constant(id),
    rowId: fc.constant(id),
    uid: fc.constant(null),
    as: wantedObjects[noun],
  })

/** The manifest after a JSON round trip, so that undefined fields are gone. */
export const sent = (desired: WantedObject<ObjectNoun>): Json =>
  JSON.parse(JSON.stringify(manifestOf(desired).content))
