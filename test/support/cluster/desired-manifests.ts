import { manifestOf } from '../../../server/src/cluster/objects-of-nouns.ts'
import { type ObjectNoun, wideNouns } from '../../../server/src/cluster/reader.ts'
import { type WantedObject } from '../../../server/src/cluster/desired/desired.ts'
import { type Json } from '../json.ts'
import { name, wantedObjects } from './desired-objects.ts'
import { fc } from '../property-testing.ts'

/** The row, and the tenant, of everything that is wished for. */
export const id = '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f'

export const wishes = <N extends ObjectNoun>(noun: N): fc.Arbitrary<WantedObject<N>> =>
  fc.record({
    noun: fc.constant(noun),
    // The type knows which nouns have a namespace, and they are told by the same list.
    namespace: (wideNouns.some((each) => each === noun) ? fc.constant(null) : name) as fc.Arbitrary<
      WantedObject<N>['namespace']
    >,
    name,
    tenantId: fc.constant(id),
    rowId: fc.constant(id),
    uid: fc.constant(null),
    as: wantedObjects[noun],
  })

/** As it is sent, so that what JSON drops is not judged. */
export const sent = (wanted: WantedObject<ObjectNoun>): Json =>
  JSON.parse(JSON.stringify(manifestOf(wanted).content))
