import { type request as english } from '../en/request.ts'
import { type Translation } from '../catalogue.ts'

export const request: Translation<typeof english> = {
  'request.unexpected':
    'Ocorreu um erro inesperado; informe ao operador o id da solicitação, sob o qual o log do servidor tem o erro.',
  'request.not_found': '{noun} não encontrado(a): {name}',
  'request.nothing_with_id': 'Não há {noun} com este id.',
  'request.not_current':
    'O objeto não tem nenhuma versão citada em If-Match; leia-o de novo e repita a solicitação com o ETag dele.',
  'request.changed':
    '{noun}: mudou desde que foi lido (versão {now}, não {then}); leia de novo e repita a alteração.',
  'request.exists': 'Já existe um objeto com um destes valores; use esse ou altere os valores.',
  'request.still_referred':
    'A solicitação cita um objeto que acaba de ser excluído, ou exclui um que ainda está em uso; leia os objetos atuais e repita a solicitação se ainda precisar dela.',
  'request.without_rows': 'Peça ao menos uma linha.',
  'request.foreign_cursor': 'Este cursor não é desta lista; comece de novo sem ele.',
  'request.unknown_cursor': 'Isto não é um cursor de um evento ou de uma alteração; envie o último que recebeu ou deixe-o de fora para começar de agora, e leia todos os objetos de novo.',
  'request.nul_character':
    'A solicitação contém o caractere U+0000, que não pode ser armazenado; remova-o.',
  'request.database_busy': 'O banco de dados não pode responder agora; tente de novo em breve.',
  'request.commit_unknown':
    'A conexão com o banco de dados caiu ao salvar; repita a solicitação com a mesma Idempotency-Key para saber o resultado.',
  'request.key_in_progress':
    'A primeira solicitação com esta Idempotency-Key ainda não terminou; repita esta em breve, com a mesma chave.',
  'request.key_of_other_credential':
    'Esta Idempotency-Key foi usada com outro login ou outra chave de API; leia o estado do objeto e use uma chave nova para uma nova solicitação.',
  'request.key_reused':
    'Esta Idempotency-Key foi usada em outra solicitação; use uma chave nova para uma solicitação nova.',
  'request.key_length': 'Idempotency-Key deve ter de 1 a 200 caracteres.',
  'request.body_too_deep': 'O corpo tem mais de {levels} níveis; use menos níveis.',
  'request.body_not_json': 'O corpo não é JSON válido; verifique aspas, vírgulas e chaves.',
  'request.body_of_other_type': 'O corpo é {type}; envie JSON.',
  'request.body_too_large': 'O corpo é maior que {most} KiB; envie menos em uma solicitação.',
  'request.body_missing': 'A solicitação não tem corpo; envie um objeto JSON.',
  'request.body_not_object': 'O corpo deve ser um objeto JSON.',
  'request.json_only': 'O tipo de conteúdo não é JSON; envie application/json.',
  'request.foreign_page':
    'Páginas de {origin} não podem usar esta API; um operador pode permiti-las com security.allowedOrigins.',
  'request.nothing_here': 'Não há nada em {path}; verifique a URL.',
  'request.nothing_in_api': 'Não há nada em {path}; veja em /api/v1/openapi.json o que há.',
  'request.method_refused': '{method} não é possível aqui; use um destes: {allowed}.',
  'request.answer_unwelcome':
    'A resposta é {type}, que o cabeçalho Accept exclui; deixe-o de fora ou inclua o tipo.',
  'request.value_impossible': '{value} não é possível aqui; veja em /api/v1/openapi.json o que é.',
  'request.too_many':
    'Você enviou mais de {requests} solicitações em {seconds} s; aguarde e envie menos.',
  'request.cluster_name':
    '{name} não é um nome válido no cluster; use no máximo 63 letras minúsculas, dígitos e "-".',
  'request.cluster_long_name':
    '{name} não é um nome válido no cluster; use no máximo 253 letras minúsculas, dígitos e "-".',
  'noun.API key': 'chave de API',
  'noun.login': 'login',
  'noun.network': 'rede',
  'noun.operation': 'operação',
  'noun.role': 'função',
  'noun.security group': 'grupo de segurança',
  'noun.service offering': 'oferta de serviço',
  'noun.snapshot': 'snapshot',
  'noun.snapshot schedule': 'agendamento de snapshots',
  'noun.SSH key': 'chave SSH',
  'noun.storage class': 'classe de armazenamento',
  'noun.template': 'template',
  'noun.tenant': 'tenant',
  'noun.user': 'usuário',
  'noun.VM': 'VM',
  'noun.vm': 'VM',
  'noun.VM snapshot': 'snapshot de VM',
  'noun.volume': 'volume',
  'noun.VPC': 'VPC',
  'noun.vpc': 'VPC',
  text: '{text}',
}
