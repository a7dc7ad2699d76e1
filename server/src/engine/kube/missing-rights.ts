import { type Log } from '../../runtime/log.ts'
import { ClusterError } from './cluster-error.ts'

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
  const [found, user = '', verb = '', plural = '', group = ''] = denial.exec(error.message) ?? []
  if (found === undefined) return null
  return { user, verb, resource: group === '' ? plural : `${plural}.${group}` }
}

/** Tells the operator each missing right once. Each VM, each pass and each minute meet it again. */
export class MissingRights {
  readonly #log: Log
  readonly #told = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  record(error: ClusterError): void {
    const right = missingRightIn(error)
    if (!right) return
    const name = `${right.verb} ${right.resource}`
    if (!this.#told.has(name))
      this.#log.error('cluster.right_missing', {
        ...right,
        error,
        effect: 'operations that need the right fail; each tells its user to ask the operator',
        remedy: `let ${right.user} ${right.verb} ${right.resource} with a role of the cluster`,
      })
    this.#told.add(name)
  }
}
