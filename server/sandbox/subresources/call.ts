import { isDeepStrictEqual } from 'node:util'
import { admitObject } from '../apiserver/admission.ts'
import { registry } from '../kinds/registry.ts'
import { component } from '../objects/identity.ts'
import { type Answer } from '../apiserver/request.ts'
import { ApiError } from '../objects/status.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { vmKind, vmiKind } from '../objects/vms/kinds.ts'
import { type Client } from '../controllers/client.ts'
import { read } from '../objects/read.ts'
import { type Kind, type Subject, deny } from './refusals.ts'

/** One request to a subresource of one VM or VMI. */
export interface SubresourceCall {
  client: Client
  namespace: string
  subject: Subject
  body: Buffer
  path: string
}

export type SubresourceHandler = (call: SubresourceCall) => Answer

const kinds: Record<Kind, string> = { virtualmachine: vmKind, virtualmachineinstance: vmiKind }

/** The object of the call. */
export function subjectOf({ client, namespace, subject }: SubresourceCall): KubeObject {
  const object = client.get(kinds[subject.kind], namespace, subject.name)
  if (!object) throw deny.notFound(subject)
  return object
}

export const instanceOf = ({
  client,
  namespace,
  subject,
}: SubresourceCall): KubeObject | undefined => client.get(vmiKind, namespace, subject.name)

/** True for a dry run. */
export function isDry(options: JsonMap): boolean {
  const dryRun = read.texts(options.dryRun)
  if (dryRun.some((each) => each !== 'All'))
    throw deny.internal(`Invalid value: ${JSON.stringify(dryRun)}: unsupported dryRun value`)
  return dryRun.length > 0
}

/** Stores a change of the object; a refusal by admission is wrapped as virt-api does. */
export function store(
  { client, subject }: SubresourceCall,
  old: KubeObject,
  next: KubeObject,
): void {
  const kind = old.kind === 'VirtualMachine' ? vmKind : vmiKind
  const subresource = isDeepStrictEqual(old.spec, next.spec) ? 'status' : undefined
  try {
    const user = component(`system:serviceaccount:kubevirt:${client.name}`)
    client.change(
      kind,
      old,
      admitObject(client.world.store, registry.named(kind), {
        old,
        object: next,
        user,
        subresource,
        dryRun: false,
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw error.status === 409
      ? deny.conflict(subject, error.message)
      : deny.internal(error.message)
  }
}
