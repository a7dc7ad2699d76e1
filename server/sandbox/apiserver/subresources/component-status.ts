import { type Answer, type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { shapedList, shapedObject } from '../shape.ts'
import { type KubeObject } from '../../objects/types.ts'

const warnings = ['299 - "v1 ComponentStatus is deprecated in v1.19+"']

/**
 * The components of the control plane. All of them run in this process, so they are healthy when it
 * answers.
 */
const components: readonly KubeObject[] = ['controller-manager', 'scheduler', 'etcd-0'].map(
  (name) => ({
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  }),
)

export const listComponents = (call: Call): Answer => ({
  status: 200,
  body: shapedList(call, {}, components),
  warnings,
})

export function readComponent(call: Call): Answer {
  const { resource, name = '' } = call
  const found = components.find(({ metadata }) => metadata.name === name)
  if (!found) throw refuse.notFound(resource, name)
  return { status: 200, body: shapedObject(call, found), warnings }
}
