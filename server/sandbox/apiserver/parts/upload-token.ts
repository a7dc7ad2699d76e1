import { type Answer, type Call } from '../request.ts'
import { type Json, isMap } from '../../objects/types.ts'

/**
 * Gives out what allows to upload into a claim. Whether there is one is asked when the bytes come.
 */
export function requestUpload({ body, namespace = '', uploads }: Call): Answer {
  const asked = valueIn(body)
  if (!isMap(asked))
    return {
      status: 400,
      body: 'the body is not an UploadTokenRequest',
      contentType: 'text/plain; charset=utf-8',
    }
  const { kind, apiVersion, metadata, spec } = asked
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
    // JSON.parse yields nothing else.
    return JSON.parse(body.toString('utf8')) as Json
  } catch {
    return null
  }
}
