import { type Answer, type Call } from '../request.ts'
import { type Json, isMap } from '../../objects/types.ts'

/** Issues a token for an upload into a PVC. The upload itself checks that the PVC exists. */
export function requestUpload({ body, namespace = '', uploads }: Call): Answer {
  const request = valueIn(body)
  if (!isMap(request))
    return {
      status: 400,
      body: 'the body is not an UploadTokenRequest',
      contentType: 'text/plain; charset=utf-8',
    }
  const { kind, apiVersion, metadata, spec } = request
  const pvcName = isMap(spec) && typeof spec.pvcName === 'string' ? spec.pvcName : ''
  return {
    status: 200,
    body: {
      kind,
      apiVersion,
      metadata: { ...(isMap(metadata) ? metadata : {}), creationTimestamp: null },
      spec: { pvcName },
      status: { token: uploads.for(namespace, pvcName) },
    },
  }
}

function valueIn(body: Buffer): Json {
  try {
    // The cast holds because JSON.parse returns only JSON values.
    return JSON.parse(body.toString('utf8')) as Json
  } catch {
    return null
  }
}
