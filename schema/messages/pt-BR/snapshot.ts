import { type snapshot as english } from '../en/snapshot.ts'
import { type Translation } from '../catalogue.ts'

export const snapshot: Translation<typeof english> = {
  'snapshot.name_taken': 'Já existe um snapshot com o nome {name}; escolha outro.',
  'snapshot.name_taken_meanwhile': 'Já existe um snapshot com este nome; escolha outro.',
  'snapshot.creating': 'O snapshot {name} ainda está sendo feito; aguarde até que fique pronto.',
  'snapshot.failed':
    'Não foi possível fazer o snapshot {name}, por isso ele não tem conteúdo; faça outro.',
  'snapshot.lost': 'O snapshot {name} foi removido por fora desta plataforma; use outro.',
  'snapshot.deleting': 'O snapshot {name} está sendo excluído; use outro.',
  'snapshot.restoring': 'O snapshot {name} não pode ser excluído, porque um volume solicitado a partir dele ainda não está pronto. Aguarde até que cada volume assim esteja pronto, ou exclua-o e aguarde até que desapareça.',
  'snapshot.name_in_use': 'Outro objeto no cluster tem o nome interno deste snapshot; exclua este snapshot e faça outro.',
  'snapshot.removed_early':
    'O snapshot foi removido por fora desta plataforma antes de ficar pronto; faça outro.',
  'snapshot.refused': 'O cluster recusou fazer este snapshot. Fale com o operador, que acha o motivo no log do Berth; depois exclua o snapshot e faça outro.',
  'snapshot.failed.summary': 'Não foi possível fazer o snapshot; nada dele existe.',
  'snapshot.failed.nextStep':
    'Veja o motivo na operação do snapshot, exclua o snapshot e faça outro.',
  'snapshot.lost.summary': 'O snapshot foi removido por fora desta plataforma.',
  'snapshot.lost.nextStep': 'Pergunte ao operador o que aconteceu e exclua o snapshot aqui.',
  'snapshot.retrying.summary': 'O armazenamento não fez o snapshot de imediato e tenta de novo.',
  'snapshot.retrying.nextStep':
    'Aguarde alguns minutos. Se o snapshot ainda não estiver pronto, fale com o operador.',
  'snapshot.settings_only.summary':
    'O snapshot guarda só as configurações da VM e nada dos discos.',
  'snapshot.settings_only.nextStep':
    'Não conte com este snapshot para dados. Para isso, use discos em uma classe de armazenamento que faz snapshots.',
  'snapshot.some_disks.summary': 'Alguns discos da VM não estão no snapshot.',
  'snapshot.some_disks.nextStep':
    'A lista de discos do snapshot mostra quais. Guarde o conteúdo dos discos que faltam de outra forma.',
  'snapshot.waits_for_stop.summary': 'O snapshot é feito assim que a VM estiver desligada.',
  'snapshot.waits_for_stop.nextStep': 'Aguarde: a VM está sendo desligada.',
}
