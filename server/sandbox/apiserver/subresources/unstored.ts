import { type Call, type Handler } from '../request.ts'
import { resourceName } from '../../objects/resource.ts'
import { bindPod } from './binding.ts'
import { listComponents, readComponent } from './component-status.ts'
import { requestUpload } from './upload-token.ts'

/** Returns the handler of a kind that is not stored. */
export function unstoredHandler({ resource, name, request }: Call): Handler | null {
  const handlers =
    name === undefined
      ? collectionHandlers[resourceName(resource)]
      : objectHandlers[resourceName(resource)]
  return handlers?.[request.method ?? ''] ?? null
}

const collectionHandlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  bindings: { POST: bindPod },
  componentstatuses: { GET: listComponents },
  'uploadtokenrequests.upload.cdi.kubevirt.io': { POST: requestUpload },
}

const objectHandlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  componentstatuses: { GET: readComponent },
}
