import { type Log } from '../../runtime/log.ts'
import { ClusterError } from './cluster-error.ts'
import { resourceName } from './rights.ts'

/** A right that the account of Berth lacks in the cluster. */
export interface MissingRight {
  user: string
  verb: string
  /** The resource with its API group, such as `virtualmachines.kubevirt.io`. */
  resource: string
}

const denial = /User "([^"]*)" cannot (\w+) resource "([^"]*)"(?: in API group "([^"]*)")?/

/** Returns the right that RBAC denied; null when the call failed for another reason. */
export function missingRightIn(error: unknown): MissingRight | null {
  if (!(error instanceof ClusterError) || error.trouble !== 'not_permitted') return null
  const [found, user = '', verb = '', resource = '', group = ''] = denial.exec(error.message) ?? []
  return found === undefined ? null : { user, verb, resource: resourceName({ group, resource }) }
}

interface MissingRightsParts {
  log: Log
  /** API groups that this installation is not configured to use. Their rights are not missed. */
  unusedGroups?: readonly string[]
}

const nameOf = ({ verb, resource }: MissingRight): string => `${verb} ${resource}`

/**
 * The rights that the account of Berth lacks, for all connections of a process. The log tells each
 * of them once. Each VM, each pass and each minute meet it again.
 */
export class MissingRights {
  readonly #log: Log
  readonly #unusedGroups: readonly string[]
  readonly #told = new Set<string>()
  #reviewed: readonly MissingRight[] = []

  constructor({ log, unusedGroups = [] }: MissingRightsParts) {
    this.#log = log
    this.#unusedGroups = unusedGroups
  }

  /** True when this installation uses kinds of the API group. */
  uses(group: string): boolean {
    return !this.#unusedGroups.includes(group)
  }

  /** Records a call that the cluster did not permit. */
  record(error: ClusterError): void {
    const right = missingRightIn(error)
    if (right && this.uses(error.group ?? '')) this.#tell(right)
  }

  /** Replaces the result of the last review, and tells what has changed. */
  review(missing: readonly MissingRight[]): void {
    const names = missing.map(nameOf)
    for (const right of this.#reviewed.filter((each) => !names.includes(nameOf(each)))) {
      this.#told.delete(nameOf(right))
      this.#log.info('cluster.right_no_longer_missing', {
        ...right,
        effect:
          'Berth has the right now, or the cluster no longer serves the resource; operations that waited for it go on',
      })
    }
    for (const right of missing) this.#tell(right)
    this.#reviewed = missing
  }

  #tell(right: MissingRight): void {
    const name = nameOf(right)
    if (this.#told.has(name)) return
    this.#told.add(name)
    this.#log.error('cluster.right_missing', {
      ...right,
      effect:
        'operations that need the right wait or fail; if Berth needs it to read, changes are not seen',
      remedy: `bind ${right.user} to a ClusterRole that allows to ${name}; then repeat requests that failed`,
    })
  }
}
