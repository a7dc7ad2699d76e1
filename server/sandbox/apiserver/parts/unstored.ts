import { type Call, type Handler } from '../request.ts'
import { resourceName } from '../../objects/resource.ts'
import { bindPod } from './binding.ts'
import { listComponents, readComponent } from './component-status.ts'
import { requestUpload } from './upload-token.ts'

/** What is done with a kind of which nothing is kept. */
export function unstoredHandler({ resource, name, request }: Call): Handler | null {
  const handlers =
    name === undefined ? wholes[resourceName(resource)] : objects[resourceName(resource)]
  return handlers?.[request.method ?? ''] ?? null
}

const wholes: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  bindings: { POST: bindPod },
  componentstatuses: { GET: listComponents },
  'uploadtokenrequests.upload.cdi.kubevirt.io': { POST: requestUpload },
}

const objects: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  componentstatuses: { GET: readComponent },
}
