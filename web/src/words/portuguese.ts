import { access } from './pt/access.ts'
import { deploy } from './pt/deploy.ts'
import { networks } from './pt/networks.ts'
import { palette } from './pt/palette.ts'
import { platform } from './pt/platform.ts'
import { securityGroups } from './pt/security-groups.ts'
import { servedEvents } from './pt/served-events.ts'
import { servedFaults } from './pt/served-faults.ts'
import { servedFields } from './pt/served-fields.ts'
import { servedLimits } from './pt/served-limits.ts'
import { servedNics } from './pt/served-nics.ts'
import { servedReasons } from './pt/served-reasons.ts'
import { servedRefusals } from './pt/served-refusals.ts'
import { servedWork } from './pt/served-work.ts'
import { shell } from './pt/shell.ts'
import { snapshotSchedules } from './pt/snapshot-schedules.ts'
import { states } from './pt/states.ts'
import { templates } from './pt/templates.ts'
import { vm } from './pt/vm.ts'
import { vmSnapshots } from './pt/vm-snapshots.ts'
import { vms } from './pt/vms.ts'
import { volumes } from './pt/volumes.ts'
import { sayingOf } from './sentences.ts'

/*
 * Portuguese as in Brazil, by the English sentence. The words of the trade, so that one thing has
 * one name:
 *
 *   attach / detach      anexar / desanexar          operation        a operação
 *   deploy               implantar                   quota            a cota
 *   fault, failure       a falha                     role             a função
 *   grow (a volume)      expandir                    security group   o grupo de segurança
 *   guest                o (sistema) convidado       service offering a oferta de serviço
 *   host, node           o host, o nó                snapshot         o snapshot (fazer um)
 *   log in / log out     entrar / sair               start / stop     ligar / desligar
 *   machine, VM          a máquina, a VM             storage class    a classe de armazenamento
 *   network, segment     a rede, o segmento          template         o template
 *   owner                o dono                      tenant           o tenant
 *
 * Whoever reads is `você`. What names a key of the API, a file or a protocol stays as it is.
 */
export const portuguese = {
  ...access,
  ...deploy,
  ...networks,
  ...palette,
  ...platform,
  ...securityGroups,
  ...shell,
  ...snapshotSchedules,
  ...states,
  ...templates,
  ...vm,
  ...vmSnapshots,
  ...vms,
  ...volumes,
}

/** What the server says, by its codes. */
export const portugueseServed: Readonly<Record<string, string>> = {
  ...servedEvents,
  ...servedNics,
  ...servedReasons,
  ...servedWork,
}

export const portugueseSentences: Readonly<Record<string, string>> = {
  ...servedFaults,
  ...servedFields,
  ...servedLimits,
  ...servedRefusals,
}

/** What the server says without a code. */
export const portugueseTold = sayingOf(portugueseSentences)
