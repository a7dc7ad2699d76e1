import { type tenant as english } from '../en/tenant.ts'
import { type Translation } from '../catalogue.ts'

export const tenant: Translation<typeof english> = {
  'tenant.slug_taken': 'Já existe um tenant com o slug {slug}; escolha outro.',
  'tenant.slug_taken_meanwhile': 'Já existe um tenant com este slug; escolha outro.',
  'tenant.default_kept': 'O tenant padrão pertence à plataforma e não pode ser excluído.',
  'tenant.deleting': 'O tenant {slug} está sendo excluído; não pode mais ser alterado.',
  'tenant.closing': 'O tenant {slug} está sendo excluído; nada pode ser criado nele.',
  'tenant.not_ready': 'O tenant {slug} ainda não está pronto; aguarde até que fique ativo.',
  'tenant.late': 'Não ficou pronto a tempo.',
  'tenant.refused': 'A plataforma recusou abrir espaço para este tenant; fale com o operador.',
  'tenant.name_in_use':
    'Outra coisa no cluster usa o nome deste tenant; exclua o tenant e escolha outro slug.',
  'tenant.removed_by_hand':
    'O que o tenant tinha na plataforma foi removido à mão; exclua o tenant ou peça ao operador que o restaure.',
  'tenant.deleted_with': 'O tenant está sendo excluído, e isto com ele.',
  'tenant.deleting_now': 'O tenant está sendo excluído.',
}
