import { clusterConfig } from '../objects/vms/cluster-config.ts'
import { decodeFindings } from '../admission/vm/decoded.ts'
import { parseJson } from '../apiserver/requests/decode.ts'
import { type Answer } from '../apiserver/request.ts'
import { registry } from '../kinds/registry.ts'
import { ApiError } from '../objects/status.ts'
import { type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { vmKind } from '../objects/vms/kinds.ts'
import { type Client } from '../controllers/client.ts'
import { expanded } from '../instancetypes/expand.ts'
import { type SubresourceHandler, subjectOf } from './call.ts'
import { deny } from './refusals.ts'

/**
 * Returns the VM with its instance type and preference expanded; a VM without them is unchanged.
 */
export const expandSpec: SubresourceHandler = (call) => {
  const vm = expanded(call.client, subjectOf(call), clusterConfig(call.client))
  if (typeof vm === 'string') throw deny.internal(vm)
  return { status: 200, body: vm }
}

/** Expands a VM that is sent in the body of the request. */
export function expandPosted(client: Client, namespace: string, body: Buffer): Answer {
  const vm = expanded(client, postedVm(namespace, body), clusterConfig(client))
  if (typeof vm === 'string') throw deny.badRequest(vm)
  return { status: 200, body: { ...vm, status: vm.status ?? {} } }
}

function postedVm(namespace: string, body: Buffer): KubeObject {
  const posted = parseJson(body.toString('utf8'), (why) =>
    deny.badRequest(`Can not unmarshal Request body to struct, error: ${why}`),
  )
  const vm: JsonMap = isMap(posted) ? posted : {}
  const findings = decodeFindings(vm, registry.named(vmKind).schema)
  if (findings.length > 0) throw invalid(findings)
  const metadata = isMap(vm.metadata) ? vm.metadata : {}
  if (metadata.namespace !== undefined && metadata.namespace !== namespace)
    throw deny.badRequest(`VM namespace must be empty or ${namespace}`)
  const { name = '' } = metadata
  return {
    ...vm,
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { ...metadata, name: String(name), namespace },
  }
}

const invalid = (findings: readonly string[]): ApiError =>
  new ApiError({
    status: 400,
    reason: 'BadRequest',
    message: 'Object is not a valid VirtualMachine',
    details: { causes: findings.map((message) => ({ message })) },
  })
