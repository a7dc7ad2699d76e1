import { type operation as english } from '../en/operation.ts'
import { type Translation } from '../catalogue.ts'

export const operation: Translation<typeof english> = {
  'operation.fixed': 'Esta operação não pode ser cancelada; aguarde que termine.',
  'operation.ended': 'Esta operação já terminou ({state}); não há o que cancelar.',
  'operation.not_yours':
    'Você pode ver esta operação, mas cancelá-la exige a permissão de quem inicia operações assim.',
  'operation.cancelled': 'Cancelada a pedido',
  'operation.deadline': 'Não houve progresso até o prazo; tente de novo.',
  'operation.not_in_time': 'A plataforma não pôde terminar isto a tempo; tente de novo mais tarde.',
}
