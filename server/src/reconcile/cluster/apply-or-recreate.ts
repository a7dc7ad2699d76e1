import { type ObjectNoun } from '../../cluster/reader.ts'
import { ClusterError, reactions } from '../../engine/kube/cluster-error.ts'
import { type ObservedObject } from '../../engine/kube/observed.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { type DesiredObject } from '../../cluster/desired/desired.ts'

/**
 * Applies an object that holds no data, and creates it again when it was deleted outside of Berth.
 * A VM is never recreated like this, because that would hide the loss.
 */
export const applyOrRecreate = <N extends ObjectNoun>(
  writer: Pick<ObjectWriter, 'applyObject'>,
  desired: DesiredObject<N>,
): Promise<ObservedObject> =>
  writer.applyObject(desired).catch((error: unknown) => {
    if (!(error instanceof ClusterError) || reactions[error.trouble].retry !== 'settled')
      throw error
    return writer.applyObject({ ...desired, uid: null })
  })
