import { type ObjectNoun } from '../../cluster/reader.ts'
import { ClusterError, reactions } from '../../engine/kube/cluster-error.ts'
import { type SeenObject } from '../../engine/kube/seen.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { type WantedObject } from '../../cluster/desired/desired.ts'

/**
 * Of what nobody keeps anything in: where somebody took it away it is made again, where of a
 * machine that would be a surprise.
 */
export const applyAnew = <N extends ObjectNoun>(
  writer: Pick<ObjectWriter, 'applyObject'>,
  wanted: WantedObject<N>,
): Promise<SeenObject> =>
  writer.applyObject(wanted).catch((error: unknown) => {
    if (!(error instanceof ClusterError) || reactions[error.trouble].retry !== 'settled')
      throw error
    return writer.applyObject({ ...wanted, uid: null })
  })
