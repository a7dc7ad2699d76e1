import { access } from './access.ts'
import { deploy } from './deploy.ts'
import { networks } from './networks.ts'
import { palette } from './palette.ts'
import { platform } from './platform.ts'
import { securityGroups } from './security-groups.ts'
import { shell } from './shell.ts'
import { snapshotSchedules } from './snapshot-schedules.ts'
import { states } from './states.ts'
import { templates } from './templates.ts'
import { vm } from './vm.ts'
import { vmVerbs } from './vm-verbs.ts'
import { vmSnapshots } from './vm-snapshots.ts'
import { vms } from './vms.ts'
import { volumes } from './volumes.ts'

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
export const texts = {
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
