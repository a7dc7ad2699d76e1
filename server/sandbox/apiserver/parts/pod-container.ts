import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'

/** The container that is meant, which needs no name where it is the only one. */
export function podContainer(pod: KubeObject, asked: string): string {
  const names = (field: string): string[] =>
    dig.list(pod, `spec.${field}`).map((each) => dig.text(each, 'name'))
  const [own, first] = [names('containers'), names('initContainers')]
  const { name } = pod.metadata
  if (asked !== '') {
    if ([...own, ...first, ...names('ephemeralContainers')].includes(asked)) return asked
    throw refuse.badRequest(`container ${asked} is not valid for pod ${name}`)
  }
  const [only = '', ...more] = own
  if (more.length === 0) return only
  const aside = first.length > 0 ? ` or one of the init containers: [${first.join(' ')}]` : ''
  throw refuse.badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${own.join(' ')}]${aside}`,
  )
}
