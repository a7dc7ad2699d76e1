import { type access as english } from '../en/access.ts'
import { type Translation } from '../catalogue.ts'

export const access: Translation<typeof english> = {
  'access.tenant_required': 'Indique o tenant em que quer atuar.',
  'access.api_key_at_home': 'Uma chave de API é do seu próprio tenant; repita sem indicar outro.',
  'access.foreign_tenant': 'X-Tenant-ID indica um tenant a que você não pertence.',
  'access.permission_missing': 'Isso exige a permissão {permission}, que você não tem.',
  'access.grant_beyond_own': 'Você só pode conceder o que tem; você não tem {permissions}.',
  'access.root_fixed':
    'O usuário {name} é o root da plataforma; não pode ser alterado nem excluído.',
  'access.not_yourself': 'Você não pode excluir a si mesmo; peça a outro administrador.',
  'access.role_of_root': 'A função {name} é só do root da plataforma; escolha outra função.',
  'access.role_of_platform':
    'A função {name} vem com a plataforma e não pode ser alterada; crie uma própria.',
  'access.role_name_of_platform': 'A função {name} vem com a plataforma; escolha outro nome.',
  'access.role_held': {
    one: 'A função {name} é de um usuário; dê antes outra a ele.',
    other: 'A função {name} é de {n} usuários; dê antes outra a eles.',
  },
  'access.role_name_taken': 'Já existe uma função com este nome; escolha outro.',
  'access.username_taken': 'Já existe um usuário com este nome; escolha outro.',
  'access.identity_linked': 'Esta identidade já está ligada a outro usuário.',
  'access.api_key_of_root': 'Esta chave de API é do root; só o root pode revogá-la.',
  'access.api_key_powerless': 'Esta chave de API não pode nada; por isso não pode criar outra.',
  'access.password_changed': 'A senha foi alterada nesse meio-tempo; entre de novo.',
  'access.password_elsewhere': 'Você entra pelo seu provedor de identidade; altere a senha lá.',
  'access.not_a_user': 'Você ainda não é usuário aqui; peça ao administrador que o adicione.',
  'access.session_over': 'A sessão terminou; entre de novo.',
  'access.no_session': 'Não há sessão; entre.',
  'access.credentials_wrong': 'O nome de usuário ou a senha está errado.',
  'access.logins_busy': 'Muitas pessoas estão entrando agora; tente de novo em breve.',
  'access.logins_limited': 'Tentativas demais de entrar; tente de novo em {seconds} s.',
  'access.token_ended': 'O token ou a chave de API não é válido ou expirou; entre de novo.',
  'access.token_in_address':
    'Um token não pertence ao endereço; envie-o no cabeçalho Authorization.',
  'access.log_in_with_header': 'Entre primeiro.',
  'access.log_in_on_socket': 'Entre primeiro: envie um token em connection_init.',
  'access.log_in_for_console': 'Entre primeiro: um console é de alguém.',
  'access.log_in_for_events': 'Entre primeiro: eventos são contados a alguém.',
  'access.log_in_or_ticket': 'Entre primeiro ou peça um bilhete.',
  'access.ticket_of_other_console': 'O bilhete é de outro console.',
  'access.ticket_of_other_tenant': 'O bilhete é de outro tenant.',
  'access.ticket_ended': 'O bilhete foi usado ou expirou; peça um novo.',
  'access.events_of_all_tenants': 'Só o root ouve os eventos de todos os tenants.',
  'access.events_too_often':
    'Você já ouve eventos vezes demais; feche antes uma das outras conexões.',
  'access.provider_silent': 'O provedor de identidade não responde; tente de novo em breve.',
  'access.provider_without_https': 'O provedor de identidade deve ser acessado por https.',
  'access.provider_login_failed':
    'A entrada pelo seu provedor de identidade não deu certo; comece de novo.',
  'access.sessions_of_console': 'Sessões são só do console; envie x-berth-session: 1.',
  'access.page_without_sessions': 'Esta página não pode usar sessões aqui.',
  'access.root_missing': 'usuário não encontrado: root; inicie o Berth uma vez antes.',
  'access.root_password_short': 'BERTH_ROOT_PASSWORD deve ter ao menos {least} caracteres.',
}
