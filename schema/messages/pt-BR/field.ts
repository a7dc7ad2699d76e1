import { type field as english } from '../en/field.ts'
import { type Translation } from '../catalogue.ts'

export const field: Translation<typeof english> = {
  'field.problem': '{path} {problem}',
  'field.problem_and_more': '{problem}; {more}',
  'field.required': 'é obrigatório',
  'field.null': 'não pode ser null; envie um valor ou deixe-o de fora se for opcional',
  'field.repeated': 'não pode ser repetido; envie-o uma vez',
  'field.unknown_field': 'não é um campo aqui; os campos são {known}',
  'field.unknown_field_near': 'não é um campo aqui; seria {nearest}?',
  'field.unknown_field_of_none': 'não é um campo aqui; não há nenhum, então deixe-o de fora',
  'field.unknown_parameter': 'não é um parâmetro de consulta desta solicitação, que tem {known}',
  'field.unknown_parameter_near':
    'não é um parâmetro de consulta desta solicitação; seria {nearest}?',
  'field.unknown_parameter_of_none': 'não é um parâmetro de consulta desta solicitação, que não tem nenhum; deixe-o de fora',
  'field.empty': 'não pode ficar vazio',
  'field.not_text': 'deve ser texto',
  'field.not_whole': 'deve ser um número inteiro',
  'field.not_boolean': 'deve ser true ou false',
  'field.not_list': 'deve ser uma lista',
  'field.not_object': 'deve ser um objeto',
  'field.not_positive_whole': 'deve ser um número inteiro, 1 ou mais',
  'field.not_one_of': 'deve ser um destes: {words}',
  'field.not_one_of_near': 'deve ser um destes: {words}; seria {nearest}?',
  'field.not_time': 'deve ser um instante como 2026-01-31T12:00:00Z',
  'field.not_etag': 'deve ser a ETag de uma resposta anterior, ou várias delas, ou *',
  'field.no_etag_here':
    'não pode ser usado aqui, porque o alvo desta solicitação não tem ETag; deixe-o de fora',
  'field.not_cursor': 'não é um cursor de um evento ou de uma alteração; envie o último que recebeu ou deixe-o de fora',
  'field.not_cursor_of_list': 'é um cursor de outra lista; envie um desta lista ou deixe-o de fora',
  'field.below_one': 'deve ser 1 ou mais',
  'field.impossible': 'não pode ser {value}; veja em /api/v1/openapi.json os valores permitidos',
  'field.not_in_address': 'não pode estar na URL; remova-o',
  'field.too_many_questions':
    'deve ser uma lista de no máximo {most} textos, cada um o corpo de uma solicitação a /graphql',
  'field.at_least': 'deve ser {least} ou mais',
  'field.at_most': 'deve ser no máximo {most}',
  'field.at_most_items': 'deve ter no máximo {most} itens',
  'field.from_to': 'deve ir de {least} a {most}',
  'field.whole_gi': 'deve ser um número inteiro de GiB, 1 ou mais',
  'field.at_most_gi': 'deve ser no máximo {most} GiB',
  'field.at_most_ki': 'deve ter no máximo {most} KiB',
  'field.at_most_characters': 'deve ter no máximo {most} caracteres',
  'field.at_least_characters': 'deve ter ao menos {least} caracteres',
  'field.one_line': 'deve ser uma linha de no máximo {most} caracteres',
  'field.control_characters': 'deve ser texto Unicode válido em uma linha, sem caracteres de controle',
  'field.control_characters_in_lines':
    'deve ser texto Unicode válido, sem caracteres de controle além de tabulações e quebras de linha',
  'field.one_needed': 'deve citar ao menos um',
  'field.one_or_absent': 'não pode ser uma lista vazia; cite ao menos um ou deixe-a de fora',
  'field.scope_needed': 'deve citar ao menos uma permissão; sem este campo, a chave tem todas as permissões que você tem',
  'field.id_or_name': 'é necessário sem {id} e deve ficar de fora com ele; envie exatamente um dos dois',
  'field.id_or_volume': 'é necessário sem volumeId e deve ficar de fora com ele; envie exatamente um dos dois',
  'field.name_characters':
    'pode ter só letras minúsculas, dígitos e "-", e começa e termina com letra ou dígito',
  'field.name_characters_such_as':
    'pode ter só letras minúsculas, dígitos e "-", e começa e termina com letra ou dígito, por exemplo {example}',
  'field.name_beside_display': '{problem}; outro texto pertence a {field}',
  'field.username_characters':
    'pode conter só letras, dígitos e . _ @ + -, e começa com letra ou dígito',
  'field.username_of_root': 'não pode ser {name}, que é o usuário da plataforma; escolha outro nome',
  'field.not_email': 'deve ser um endereço de e-mail',
  'field.is_username': 'não pode ser o nome de usuário; escolha outra senha',
  'field.not_code': 'está errado ou já foi usado; espere o próximo código do aplicativo autenticador',
  'field.not_password': 'não é a sua senha atual; digite-a de novo',
  'field.unknown_permissions': 'tem permissões que não existem: {permissions}; corrija ou remova cada uma',
  'field.platform_permissions': 'tem permissões que só as funções da plataforma podem ter; deixe de fora {permissions}',
  'field.no_limit_or_whole': 'deve ser um número inteiro de 0 a {most}, ou null para nenhum limite',
  'field.tag_characters': 'deve ter no máximo {most} caracteres em cada etiqueta',
  'field.storage_class_name':
    'deve ser o nome de uma classe de armazenamento: letras minúsculas, dígitos, "-" e "."',
  'field.storage_class_needed':
    'deve ser indicada: esta instalação não tem classe de armazenamento padrão',
  'field.storage_class_none':
    'não tem valor possível, nem um padrão: esta instalação não tem classe de armazenamento; peça ao operador que adicione uma',
}
