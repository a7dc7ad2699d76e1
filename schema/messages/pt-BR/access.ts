import { type access as english } from '../en/access.ts'
import { type Translation } from '../catalogue.ts'

export const access: Translation<typeof english> = {
  'access.foreign_tenant': 'A solicitação indica um tenant que não é o seu; deixe o tenant de fora ou envie o id ou o slug do seu.',
  'access.permission_missing': 'A solicitação exige a permissão {permission}, que você ou a sua chave de API não tem. Peça-a a um administrador do seu tenant ou use outra chave; só root tem tenants:read e tenants:write.',
  'access.grant_beyond_own': 'Você só pode conceder permissões que você, e a chave de API que usa, têm. Deixe de fora {permissions} ou escolha uma função sem elas.',
  'access.root_fixed': 'O usuário {name} é o root da plataforma, que não pode ser alterado nem excluído aqui; o root só troca a própria senha e o próprio segundo fator. Escolha outro usuário.',
  'access.root_second_factor': 'Só o operador pode redefinir o segundo fator de {name}, o root da plataforma, com reset-root-password; o próprio root pode removê-lo com um código, a menos que precise de um.',
  'access.holds_more': 'O usuário {name} tem permissões que você, ou a chave de API que você usa, não tem. Use um login ou uma chave que tenha todas, ou peça a um usuário que as tenha.',
  'access.key_holds_more': 'A chave de API {name} tem permissões que você, ou a chave de API que você usa, não tem. Use um login ou uma chave que tenha todas, ou peça a um usuário que as tenha.',
  'access.last_administrator': 'O usuário {name} é o último administrador ativo do tenant e não pode ser excluído, desativado nem receber outro papel. Dê primeiro o papel tenant.admin a outro usuário ativo.',
  'access.password_by_login':
    'Uma chave de API não pode mudar a senha do seu usuário; faça login para mudá-la.',
  'access.not_yourself': 'Você não pode excluir o seu próprio usuário, nem com uma chave de API; peça isso a outro usuário com a função tenant.admin e, se você for o único, dê antes essa função a outro usuário ativo.',
  'access.role_of_root': 'A função {name} é só do root da plataforma; escolha outra função.',
  'access.role_of_platform': 'A função {name} vem com a plataforma e não pode ser alterada nem excluída; se precisar de outra, crie uma própria.',
  'access.role_name_of_platform': 'A função {name} vem com a plataforma; escolha outro nome para a nova função.',
  'access.role_held': {
    one: 'A função {name} não pode ser excluída, porque um usuário a tem; dê antes outra a ele.',
    other:
      'A função {name} não pode ser excluída, porque {n} usuários a têm; dê antes outra a eles.',
  },
  'access.role_name_taken': 'Já existe uma função com este nome; escolha outro.',
  'access.username_taken': 'O tenant já tem um usuário com este nome; escolha outro nome.',
  'access.identity_linked': 'Outro login acaba de criar o usuário desta identidade; entre de novo.',
  'access.api_key_of_root': 'Esta chave de API é do root, e só o root pode revogá-la; peça a ele.',
  'access.api_key_powerless':
    'Esta chave de API não tem permissões, por isso não pode criar outra; crie-a com um login.',
  'access.password_changed': 'A senha foi alterada por outra solicitação; entre de novo com a nova.',
  'access.password_elsewhere': 'Você entra pelo seu provedor de identidade; altere a senha lá.',
  'access.not_a_user': 'Você não tem um usuário ativo para esta identidade. Peça ao administrador que o reative. Se você não tem um usuário, fale com o operador: security.oidc.tenantClaim deve estar definido, e o provedor de identidade deve indicar um tenant que não esteja sendo excluído e uma função nele que não seja platform.root.',
  'access.key_has_no_login':
    'A requisição usa uma chave de API, que não tem login para encerrar; revogue a chave.',
  'access.session_over': 'A sessão terminou; entre de novo.',
  'access.no_session': 'O cookie da sessão não é válido; entre.',
  'access.credentials_wrong': 'O nome de usuário ou a senha está errado, ou este usuário não pode entrar com senha; verifique os dois, escreva o nome como tenant/nome ou fale com o administrador, ou com o operador se você for o root.',
  'access.logins_busy': 'Senhas demais estão sendo verificadas agora; tente de novo em breve.',
  'access.logins_limited': 'Tentativas demais com senha, para este usuário ou do seu endereço, falharam ou ainda estão sendo verificadas; repita o pedido em {seconds} s.',
  'access.token_ended': 'O token ou a chave de API não é válido ou expirou, o usuário está desativado, ou a forma de envio está errada. Envie-o depois de "Bearer" no cabeçalho Authorization, ou sozinho em X-API-Key; senão entre de novo, use outra chave ou fale com o administrador.',
  'access.token_in_address': 'Um token ou uma chave de API não pode estar na URL; remova-o de lá e envie-o depois de "Bearer" no cabeçalho Authorization. Em vez disso, uma página no navegador abre /ws/events com um bilhete.',
  'access.log_in_with_header': 'A solicitação exige um login: envie "Bearer" e um token ou uma chave de API no cabeçalho Authorization.',
  'access.log_in_on_socket': 'A conexão exige um login: envie "Bearer" e um token ou uma chave de API como authorization em connection_init.',
  'access.log_in_or_ticket': 'Eventos exigem um login: envie "Bearer" e um token ou uma chave de API no cabeçalho Authorization, ou conecte-se com um bilhete.',
  'access.ticket_of_other_console': 'O ticket é de outra VM ou de outro tipo de console (serial ou vnc). Solicite um ticket para esta VM e este tipo.',
  'access.ticket_of_other_tenant': 'tenant_id não é o tenant para o qual o bilhete foi pedido, e o bilhete já foi usado; peça um novo no tenant cujos eventos você quer e conecte-se sem tenant_id.',
  'access.ticket_ended': 'O bilhete está errado, já foi usado ou expirou, ou o login ou a chave de API que o pediu terminou; peça um novo, se preciso depois de entrar de novo ou com outra chave de API.',
  'access.events_of_all_tenants':
    'Só o root recebe os eventos de todos os tenants; deixe all_tenants de fora e, se enviou um ticket, peça outro, porque ele já foi usado.',
  'access.events_too_often': 'Há conexões de eventos demais abertas para o seu usuário ou o seu tenant; feche uma de que não precisa ou aguarde até que outros clientes fechem as suas.',
  'access.events_too_often_anonymous': 'Há conexões de eventos sem login demais abertas, do seu endereço ou ao todo; feche uma de que não precisa, aguarde ou conecte-se com um login.',
  'access.provider_silent':
    'O provedor de identidade não responde como devia; tente de novo em breve ou fale com o operador.',
  'access.provider_without_https':
    'O provedor de identidade está configurado sem https, o que não é permitido; peça ao operador que altere o URL.',
  'access.provider_login_failed':
    'A entrada pelo seu provedor de identidade falhou ou demorou demais; comece de novo e, se falhar outra vez, fale com o operador.',
  'access.provider_name_unusable':
    'Seu provedor de identidade o chama de {name}, nome que outro usuário do seu tenant já tem ou que não pode ser um nome de usuário; peça ao operador que o faça enviar outro.',
  'access.second_factor_code': 'Este usuário tem um segundo fator: repita o login com `code`, que é o código que o aplicativo autenticador mostra agora, ou um código de recuperação.',
  'access.second_factor_wrong': 'O código está errado ou já foi usado; espere o próximo código do aplicativo autenticador ou use um código de recuperação.',
  'access.second_factor_first': 'Você precisa de um segundo fator e não tem nenhum: configure-o no console, que o pede depois do login, ou com beginSecondFactor e confirmSecondFactor. Até lá, você pode fazer pouco além de sair.',
  'access.second_factor_needed': 'Sua conta precisa de um segundo fator, então você não pode removê-lo. Para usar outro aparelho, peça que outro administrador do seu tenant ou o root o redefina, ou o operador se você for o root, e configure-o de novo.',
  'access.second_factor_present': 'Você já tem um segundo fator. Para trocá-lo, remova-o antes. Se a sua conta precisa de um, peça que outro administrador do seu tenant ou o root o redefina, ou o operador se você for o root. Se só faltam os códigos de recuperação, peça novos.',
  'access.second_factor_absent': 'Você não tem um segundo fator; configure um antes.',
  'access.second_factor_absent_already': 'Você não tem um segundo fator, então não há o que remover.',
  'access.second_factor_absent_of': 'O usuário {name} não tem um segundo fator, então não há o que redefinir.',
  'access.second_factor_not_begun': 'Nenhum segundo fator espera um código; peça antes um segredo.',
  'access.second_factor_elsewhere': 'Você entra pelo seu provedor de identidade; configure um segundo fator lá.',
  'access.second_factor_by_login': 'Uma chave de API não pode alterar o segundo fator do seu usuário; faça login para alterá-lo.',
  'access.own_second_factor': 'Você não pode redefinir o seu próprio segundo fator. Remova-o com um código; se não puder, peça a outro administrador do seu tenant, ou ao root, que o redefina.',
  'access.sessions_of_console': 'Só o console pode usar uma sessão com cookie, e ele envia o cabeçalho "x-berth-session: 1". Outros clientes enviam um token ou uma chave de API no cabeçalho Authorization.',
  'access.page_without_sessions':
    'Uma página desta origem não pode usar sessões; abra o console no URL dele ou peça ao operador que permita a origem.',
  'access.root_missing': 'O usuário root do Berth ainda não existe. Inicie o Berth: ele cria o root com a senha em BERTH_ROOT_PASSWORD, ou mostra uma senha aleatória na saída.',
  'access.root_password_short': 'BERTH_ROOT_PASSWORD deve ter ao menos {least} caracteres.',
}
