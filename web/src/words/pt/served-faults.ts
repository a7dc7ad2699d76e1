const named: Readonly<Record<string, string>> = {
  'A VM': 'uma VM',
  'A VM snapshot': 'um snapshot de VM',
  'A VPC': 'uma VPC',
  'A schedule': 'um agendamento',
  'A security group': 'um grupo de segurança',
  'A service offering': 'uma oferta de serviço',
  'A snapshot': 'um snapshot',
  'A template': 'um template',
  'A volume': 'um volume',
  'An SSH key': 'uma chave SSH',
}

/**
 * Why what was asked is not done, where no state of the thing is the reason; and why work of the
 * platform has failed.
 */
export const servedFaults: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(named).map(([noun, words]) => [
      `${noun} named {name} exists already; choose another name.`,
      `Já existe ${words} com o nome {name}; escolha outro.`,
    ]),
  ),
  'A tenant with the slug {slug} exists already; choose another slug.':
    'Já existe um tenant com o slug {slug}; escolha outro.',
  'The VPC has a network named {name} already; choose another name.':
    'A VPC já tem uma rede com o nome {name}; escolha outro.',
  'VPC {vpc} has a network named {name} already; choose another name.':
    'A VPC {vpc} já tem uma rede com o nome {name}; escolha outro.',
  'This key is registered as {name} already; use that one.':
    'Esta chave já está registrada como {name}; use essa.',
  'The {noun} has changed since it was read (version {now}, not {then}); read it again.':
    'Isto mudou desde que foi lido (versão {now}, não {then}); leia de novo.',
  '{block} overlaps {other}, which is {whose}; choose another block.':
    '{block} se sobrepõe a {other}, {whose}; escolha outro bloco.',
  'No /{prefix} is free in {where}; ask for a smaller block, or name one.':
    'Nenhum /{prefix} está livre; peça um bloco menor ou indique um.',
  'There are {most} blocks here already, which is the most; delete one first.':
    'Já há {most} blocos aqui, que é o máximo; exclua um primeiro.',
  'A snapshot of VM {vm} would lack {disks}. Ask for it with acceptMissing to have it all the same.':
    'Um snapshot da VM {vm} ficaria sem {disks}. Aceite isso para fazê-lo mesmo assim.',
  'A snapshot of VM {vm} would lack {disks}. A snapshot would hold its settings only. Ask for it with acceptMissing to have it all the same.':
    'Um snapshot da VM {vm} ficaria sem {disks}. Guardaria só as configurações. Aceite isso para fazê-lo mesmo assim.',
  '{disk} ({size} GiB, it forgets with each stop)': '{disk} ({size} GiB, esquece tudo ao desligar)',
  '{disk} ({size} GiB, its storage class takes no snapshots)':
    '{disk} ({size} GiB, a classe de armazenamento não faz snapshots)',
  '{disk} ({size} GiB, the platform left it out)':
    '{disk} ({size} GiB, a plataforma o deixou de fora)',

  'Role {name} comes with the platform and cannot be changed; create one of your own.':
    'A função {name} vem com a plataforma e não pode ser alterada; crie uma própria.',
  'Role {name} comes with the platform; choose another name.':
    'A função {name} vem com a plataforma; escolha outro nome.',
  "Role {name} belongs to the platform's root alone; choose another role.":
    'A função {name} é só do root da plataforma; escolha outra função.',
  'Role {name} is held by one user; give them another role first.':
    'A função {name} é de um usuário; dê antes outra a ele.',
  'Role {name} is held by {n} users; give them another role first.':
    'A função {name} é de {n} usuários; dê antes outra a eles.',
  "User {name} is the platform's root; it cannot be changed or deleted.":
    'O usuário {name} é o root da plataforma; não pode ser alterado nem excluído.',
  'You cannot delete yourself; ask another administrator.':
    'Você não pode excluir a si mesmo; peça a outro administrador.',
  'You can only grant what you hold yourself; you do not hold {permissions}.':
    'Você só pode conceder o que tem; você não tem {permissions}.',
  'This needs the permission {permission}, which you do not hold.':
    'Isso exige a permissão {permission}, que você não tem.',
  'This API key belongs to root; only root can revoke it.':
    'Esta chave de API é do root; só o root pode revogá-la.',
  'This API key may do nothing, so it cannot make another one.':
    'Esta chave de API não pode nada; por isso não pode criar outra.',
  'The password was changed meanwhile; log in again.':
    'A senha foi alterada nesse meio-tempo; entre de novo.',
  'You log in with your identity provider; change the password there.':
    'Você entra pelo seu provedor de identidade; altere a senha lá.',
  'You are not a user here yet; ask your administrator to add you.':
    'Você ainda não é usuário aqui; peça ao administrador que o adicione.',
  'The session is over; log in again.': 'A sessão terminou; entre de novo.',
  'Too many people are logging in right now; try again shortly.':
    'Muitas pessoas estão entrando agora; tente de novo em breve.',
  'Too many login attempts; try again in {seconds} s.':
    'Tentativas demais de entrar; tente de novo em {seconds} s.',
  'The username or the password is wrong.': 'O nome de usuário ou a senha está errado.',
  'Log in first: a console belongs to somebody.': 'Entre primeiro: um console é de alguém.',
  'Log in first: send a token in the Authorization header.': 'Entre primeiro.',
  'Name the tenant to act in.': 'Indique o tenant em que quer atuar.',
  '{what} belongs to your own tenant; repeat this without naming another one.':
    'Isto é do seu próprio tenant; repita sem indicar outro.',
  'The ticket is for another console.': 'O bilhete é de outro console.',
  'The connection to the log was lost; follow it again.':
    'A conexão com o log caiu; siga-o de novo.',
  'You follow {most} logs already; leave one first.':
    'Você já segue {most} logs; deixe um primeiro.',
  'This operation cannot be cancelled; wait for it to end.':
    'Esta operação não pode ser cancelada; aguarde que termine.',
  'This operation has ended already ({state}); there is nothing to cancel.':
    'Esta operação já terminou; não há o que cancelar.',
  'You may look at this operation, but cancelling it needs the permission of who starts such operations.':
    'Você pode ver esta operação, mas cancelá-la exige a permissão de quem inicia operações assim.',
  'This cursor is not from this list; start again without it.':
    'Este cursor não é desta lista; comece de novo sem ele.',
  'There is no {noun} with this id.': 'Não há nada com este id.',
  '{noun} not found: {name}': 'Não encontrado: {name}',
  'Ask for at least one row.': 'Peça ao menos uma linha.',

  'Another VM has {what} by now; ask with {choice} renewed.':
    'Outra VM já tem {what}; peça um novo.',
  'VM {vm} has {what}; delete that VM first, or ask with {choice} renewed.':
    'A VM {vm} tem {what}; exclua-a antes ou peça um novo.',
  'VM {vm} had {what} until a moment ago, and it still rests; wait a few minutes, or ask with {choice} renewed.':
    'A VM {vm} tinha {what} até há pouco, e isso ainda repousa; aguarde alguns minutos ou peça um novo.',

  'The server of the image did not answer as it should; check the URL, or try again later.':
    'O servidor da imagem não respondeu como devia; verifique o URL ou tente de novo mais tarde.',
  'There is no image under this URL; correct it and try again.':
    'Não há imagem neste URL; corrija-o e tente de novo.',
  'The server of the image has no certificate that the platform trusts; use another server.':
    'O servidor da imagem não tem um certificado em que a plataforma confie; use outro servidor.',
  'What is under this URL is not a disk image that can be used; correct it and try again.':
    'O que há neste URL não é uma imagem de disco que se possa usar; corrija-o e tente de novo.',
  'The image is larger than the disk for it; create the template with a larger isoSizeGi.':
    'A imagem é maior que o disco para ela; crie o template com mais espaço para o ISO.',
  'The storage has no room for this image; try a smaller size or another storage class, or ask the operator.':
    'O armazenamento não tem espaço para esta imagem; tente um tamanho menor ou outra classe de armazenamento, ou fale com o operador.',
  'The import took too long and was given up; try again, or use a server that is nearer.':
    'A importação demorou demais e foi abandonada; tente de novo ou use um servidor mais próximo.',
  'The platform cannot import images at the moment; try again later, or ask the operator.':
    'A plataforma não pode importar imagens no momento; tente mais tarde ou fale com o operador.',
  'The import was cancelled; start it again if it is still wanted.':
    'A importação foi cancelada; comece de novo se ainda quiser.',
  'What had been imported was removed from the platform by hand; import it again.':
    'O que tinha sido importado foi removido da plataforma à mão; importe de novo.',
}
