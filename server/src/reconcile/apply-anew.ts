import { ClusterError, type ObjectNoun, type SeenObject } from '../cluster/reader.ts'
import { type ObjectWriter, reactions } from '../cluster/writer.ts'
import { type WantedObject } from '../cluster/writer/wanted.ts'

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
