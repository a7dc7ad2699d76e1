import { type tenant as english } from '../en/tenant.ts'
import { type Translation } from '../catalogue.ts'

export const tenant: Translation<typeof english> = {
  'tenant.slug_taken': 'Já existe um tenant com o slug {slug}; escolha outro.',
  'tenant.slug_taken_meanwhile': 'Já existe um tenant com este slug; escolha outro.',
  'tenant.default_kept':
    'O tenant padrão pertence à plataforma e não pode ser excluído; exclua o que há nele.',
  'tenant.deleting': 'O tenant {slug} está sendo excluído e não pode mais ser alterado; não há nada a fazer.',
  'tenant.closing': 'O tenant {slug} está sendo excluído, por isso nada pode ser criado nele. Se você só pertence a este tenant, peça outro ao operador; senão use outro tenant.',
  'tenant.not_ready': 'O tenant {slug} ainda está sendo criado; aguarde até que fique ativo. Se demorar, fale com o operador.',
  'tenant.failed': 'O tenant {slug} falhou, por isso o cluster não aceita VMs, discos, snapshots nem redes para ele; fale com o operador, que vê o motivo no estado dele.',
  'tenant.late':
    'O tenant não ficou pronto a tempo. O Berth continua tentando; se ele não ficar ativo, fale com o operador.',
  'tenant.refused': 'O cluster recusou o namespace do tenant, ou um objeto nele que isola ou limita o tenant. Fale com o operador, que acha o motivo no log do Berth. O Berth continua tentando, e o tenant então fica ativo.',
  'tenant.name_in_use':
    'Outra coisa no cluster usa o nome deste tenant; exclua o tenant e escolha outro slug.',
  'tenant.removed_by_hand':
    'O namespace do tenant foi removido por fora desta plataforma, com tudo o que havia nele; exclua o tenant ou peça ao operador que o restaure.',
  'tenant.deleted_with': 'O tenant está sendo excluído, e este objeto com ele; use outro tenant.',
  'tenant.namespace_missing': 'O namespace do tenant foi removido por fora desta plataforma; use outro tenant ou peça ao operador que restaure o namespace.',
  'tenant.namespace_leaving': 'O namespace do tenant está sendo excluído, com tudo o que há nele; use outro tenant. Se o próprio tenant não está sendo excluído, fale com o operador.',
}
