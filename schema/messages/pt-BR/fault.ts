import { type fault as english } from '../en/fault.ts'
import { type Translation } from '../catalogue.ts'

export const fault: Translation<typeof english> = {
  'fault.addresses_exhausted.title': 'Nenhum endereço livre na rede',
  'fault.addresses_exhausted.remedy':
    'Escolha outra rede, ou exclua ou retire uma VM que está nesta.',
  'fault.already_exists.title': 'Já existe',
  'fault.already_exists.remedy':
    'Use o que já existe ou repita a solicitação com outro nome ou valor.',
  'fault.cancelled.title': 'Cancelado',
  'fault.cancelled.remedy': 'Repita a solicitação se ainda precisar.',
  'fault.capacity.title': 'Capacidade insuficiente no cluster',
  'fault.capacity.remedy':
    'Peça menos CPUs, menos memória, ou um disco menor ou em outra classe de armazenamento. Senão, peça mais capacidade ao operador.',
  'fault.cidr_exhausted.title': 'Nenhum bloco de endereços livre',
  'fault.cidr_exhausted.remedy':
    'Peça um bloco menor, exclua uma VPC ou rede de que não precisa mais, ou fale com o operador.',
  'fault.cidr_overlap.title': 'Endereços sobrepostos',
  'fault.cidr_overlap.remedy':
    'Escolha um bloco ou uma rede que não se sobreponha ao que a mensagem cita.',
  'fault.cluster_name_conflict.title': 'Nome em uso no cluster',
  'fault.cluster_name_conflict.remedy':
    'Repita a solicitação com outro nome ou peça ao operador que remova o outro objeto.',
  'fault.cluster_unavailable.title': 'Indisponível no momento',
  'fault.cluster_unavailable.remedy':
    'Aguarde um momento e tente de novo. Se o erro persistir, fale com o operador.',
  'fault.conflict.title': 'Conflito com o estado atual',
  'fault.conflict.remedy': 'Verifique o estado atual do objeto e faça o que a mensagem diz.',
  'fault.expansion_not_supported.title': 'Volumes desta classe de armazenamento não crescem',
  'fault.expansion_not_supported.remedy':
    'Crie um volume maior, se possível em uma classe de armazenamento cujos volumes crescem, e copie os dados.',
  'fault.feature_disabled.title': 'Não disponível nesta plataforma',
  'fault.feature_disabled.remedy': 'Peça ao operador que torne o recurso disponível.',
  'fault.forbidden.title': 'Não permitido',
  'fault.forbidden.remedy':
    'Faça o que a mensagem diz. Se faltar uma permissão, peça-a a um administrador do seu tenant.',
  'fault.idempotency_conflict.title': 'Chave de idempotência reutilizada',
  'fault.idempotency_conflict.remedy': 'Envie uma nova Idempotency-Key com uma nova solicitação.',
  'fault.import_failed.title': 'Falha na importação',
  'fault.import_failed.remedy': 'Corrija o problema citado e repita a importação.',
  'fault.in_use.title': 'Em uso',
  'fault.in_use.remedy': 'Remova ou desanexe o que o usa, ou aguarde até que o uso termine.',
  'fault.internal.title': 'Algo deu errado aqui',
  'fault.internal.remedy':
    'Tente de novo. Se o erro persistir, informe o id da solicitação ao operador.',
  'fault.invalid_credentials.title': 'Nome de usuário ou senha errado',
  'fault.invalid_credentials.remedy': 'Verifique os dois e tente de novo.',
  'fault.invalid_input.title': 'Entrada inválida',
  'fault.invalid_input.remedy': 'Corrija o que a mensagem cita e repita a solicitação.',
  'fault.method_not_allowed.title': 'Método não permitido',
  'fault.method_not_allowed.remedy': 'Use um dos métodos citados em Allow.',
  'fault.not_acceptable.title': 'Tipo de resposta não aceito',
  'fault.not_acceptable.remedy': 'Peça application/json.',
  'fault.not_found.title': 'Não encontrado',
  'fault.not_found.remedy': 'Verifique o URL, o nome ou o id, e o tenant em que você atua.',
  'fault.overloaded.title': 'Sem resposta no momento',
  'fault.overloaded.remedy':
    'Aguarde um momento e tente de novo. Um cliente da API aguarda quanto Retry-After diz e envia a mesma Idempotency-Key, se enviou uma.',
  'fault.payload_too_large.title': 'Solicitação grande demais',
  'fault.payload_too_large.remedy': 'Envie menos em uma solicitação.',
  'fault.platform_error.title': 'Problema da plataforma',
  'fault.platform_error.remedy':
    'Informe ao operador o que a mensagem diz, com o id da solicitação ou da operação.',
  'fault.query_refused.title': 'Consulta recusada',
  'fault.query_refused.remedy':
    'Corrija a consulta como a mensagem diz: ela deve seguir o schema e respeitar os limites.',
  'fault.quota_exceeded.title': 'Cota ou limite atingido',
  'fault.quota_exceeded.remedy':
    'Exclua objetos de que não precisa mais. O operador pode aumentar uma cota, mas nenhum outro limite.',
  'fault.read_only.title': 'Não pode ser alterado nem excluído',
  'fault.read_only.remedy': 'Deixe o objeto como está ou crie um próprio.',
  'fault.second_factor_invalid.title': 'Código errado',
  'fault.second_factor_invalid.remedy': 'Verifique o código e tente de novo.',
  'fault.second_factor_required.title': 'Código necessário',
  'fault.second_factor_required.remedy': 'Repita o login com um código.',
  'fault.snapshots_not_supported.title': 'Disco não pode estar em um snapshot',
  'fault.snapshots_not_supported.remedy':
    'Use uma classe de armazenamento que faz snapshots, ou um snapshot sem estes discos se a mensagem o oferece.',
  'fault.template_not_ready.title': 'O template não pode ser usado agora',
  'fault.template_not_ready.remedy':
    'Escolha outro template ou prepare este: aguarde a importação, repita-a ou ative o template.',
  'fault.template_read_only.title': 'Template da plataforma',
  'fault.template_read_only.remedy': 'Crie um template próprio.',
  'fault.tenant_deleting.title': 'O tenant está sendo excluído',
  'fault.tenant_deleting.remedy': 'Se você só pertence a este tenant, peça outro ao operador; senão use outro tenant.',
  'fault.tenant_forbidden.title': 'Não permitido neste tenant',
  'fault.tenant_forbidden.remedy': 'Não indique nenhum tenant, ou indique um a que você pertence.',
  'fault.tenant_not_ready.title': 'O tenant ainda não foi criado',
  'fault.tenant_not_ready.remedy':
    'Aguarde até que o tenant esteja ativo. Se a criação falhou, fale com o operador.',
  'fault.timeout.title': 'Demorou demais',
  'fault.timeout.remedy': 'Verifique o estado do objeto e tente de novo.',
  'fault.too_many_requests.title': 'Solicitações ou conexões demais',
  'fault.too_many_requests.remedy':
    'Aguarde um momento ou feche conexões de que não precisa, e tente de novo. Um cliente da API aguarda quanto Retry-After diz, se a resposta o tem.',
  'fault.unauthenticated.title': 'Sem login, chave de API ou bilhete válido',
  'fault.unauthenticated.remedy': 'Faça o que a mensagem diz: entre, use uma chave de API válida ou peça um novo bilhete. Depois repita a solicitação.',
  'fault.unsupported_media_type.title': 'Tipo de conteúdo não aceito',
  'fault.unsupported_media_type.remedy': 'Envie JSON, com o tipo de conteúdo application/json.',
  'fault.version_conflict.title': 'Alterado desde que foi lido',
  'fault.version_conflict.remedy': 'Leia o objeto de novo e repita a alteração com a nova versão.',
  'fault.wrong_state.title': 'Impossível no estado atual do objeto',
  'fault.wrong_state.remedy': 'A mensagem cita o estado do objeto. Se citar algo a fazer ou a aguardar, faça isso e depois repita a solicitação.',
}
