import { type Message, messageOf } from '../../engine/model/message.ts'
import { type Capabilities } from './capabilities.ts'

/**
 * Lists what the cluster lacks for the work of Berth: KubeVirt, CDI, and rights of the account.
 * Each sentence tells the operator what to provide.
 */
export function problemsIn({ features, missingRights }: Capabilities): Message[] {
  const components = [features.virtualMachines.reason, features.imageImports.reason]
  const rights = (missingRights ?? []).map((right) =>
    messageOf('capability.account_lacks', { ...right }),
  )
  return [...components.filter((reason) => reason !== null), ...rights]
}
