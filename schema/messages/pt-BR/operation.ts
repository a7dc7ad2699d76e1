import { type operation as english } from '../en/operation.ts'
import { type Translation } from '../catalogue.ts'

export const operation: Translation<typeof english> = {
  'operation.fixed': 'Esta operação não pode ser cancelada; aguarde que termine.',
  'operation.ended': 'Esta operação já terminou ({state}); não há o que cancelar.',
  'operation.not_yours': 'Você pode ver esta operação, mas cancelá-la exige a permissão {permission}, que você ou a sua chave de API não tem; peça a um usuário que a tem que a cancele.',
  'operation.cancelled': 'Um usuário cancelou a operação.',
  'operation.deadline': 'A operação não avançou até o prazo; verifique o objeto e tente de novo.',
  'operation.right_missing':
    'O Berth não tem o direito de {verb} {resource} no cluster; peça ao operador que o conceda à conta do Berth.',
  'operation.component_missing': 'Isto aguarda o operador: {reason}.',
  'operation.continues':
    'Fale com o operador. O Berth continua sozinho quando isso for resolvido.',
  'operation.not_in_time': 'A plataforma desistiu depois de várias tentativas que falharam; tente mais tarde ou fale com o operador.',
}
