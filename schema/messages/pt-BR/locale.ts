import { type ConsoleLocale } from '../catalogue.ts'
import { catalogue } from './catalogue.ts'
import { codeLabels, texts } from './console/texts.ts'

/*
 * Portuguese as in Brazil. The words of the trade, so that one thing has one name:
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
 * The reader is `você`. Keys of the API, files and protocols keep their names.
 */
export const locale: ConsoleLocale = { language: 'pt-BR', catalogue, texts, codes: codeLabels }
