import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'

/**
 * Returns the name of the requested container. The name may be omitted when the pod has only one.
 */
export function podContainer(pod: KubeObject, requested: string): string {
  const names = (field: string): string[] =>
    dig.list(pod, `spec.${field}`).map((each) => dig.text(each, 'name'))
  const [own, first] = [names('containers'), names('initContainers')]
  const { name } = pod.metadata
  if (requested !== '') {
    if ([...own, ...first, ...names('ephemeralContainers')].includes(requested)) return requested
    throw refuse.badRequest(`container ${requested} is not valid for pod ${name}`)
  }
  const [only = '', ...more] = own
  if (more.length === 0) return only
  const aside = first.length > 0 ? ` or one of the init containers: [${first.join(' ')}]` : ''
  throw refuse.badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${own.join(' ')}]${aside}`,
  )
}
