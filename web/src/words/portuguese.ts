import { type Catalogue } from '../../../schema/messages/catalogue.ts'
import { pt } from '../../../schema/messages/pt/pt.ts'
import { access } from './pt/access.ts'
import { deploy } from './pt/deploy.ts'
import { networks } from './pt/networks.ts'
import { palette } from './pt/palette.ts'
import { platform } from './pt/platform.ts'
import { securityGroups } from './pt/security-groups.ts'
import { codes } from './pt/codes.ts'
import { shell } from './pt/shell.ts'
import { snapshotSchedules } from './pt/snapshot-schedules.ts'
import { states } from './pt/states.ts'
import { templates } from './pt/templates.ts'
import { vm } from './pt/vm.ts'
import { vmVerbCodes, vmVerbs } from './pt/vm-verbs.ts'
import { vmSnapshots } from './pt/vm-snapshots.ts'
import { vms } from './pt/vms.ts'
import { volumes } from './pt/volumes.ts'

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
  ...vmVerbs,
  ...vms,
  ...volumes,
}

/** Words that the console derives from codes. */
export const portugueseCodes: Readonly<Record<string, string>> = { ...codes, ...vmVerbCodes }

/** The sentences of the server. */
export const portugueseCatalogue: Catalogue = pt
