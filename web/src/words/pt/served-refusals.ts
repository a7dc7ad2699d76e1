const vmIs = (
  is: string,
  remedies: Readonly<Record<string, string>>,
  said: string,
): [string, string][] =>
  Object.entries(remedies).map(([remedy, words]) => [
    `VM {name} ${is}; ${remedy}.`,
    `A VM {name} ${said}; ${words}.`,
  ])

const nothing = { 'there is nothing to do': 'não há nada a fazer' }

const quotas: Readonly<Record<string, string>> = {
  VMs: 'VMs',
  vCPUs: 'vCPUs',
  'MiB of memory': 'MiB de memória',
  'GiB of storage': 'GiB de armazenamento',
  volumes: 'volumes',
  snapshots: 'snapshots',
  VPCs: 'VPCs',
  networks: 'redes',
  'public addresses': 'endereços públicos',
}

/** Who has addresses; where they overlap others, with these behind. */
const holders: Readonly<Record<string, string>> = {
  'part of the public network': 'parte da rede pública',
  'used by the cluster for its pods': 'em uso pelo cluster para os pods',
  'used by the cluster for its services': 'em uso pelo cluster para os serviços',
  'used by the cluster for its nodes': 'em uso pelo cluster para os nós',
  'used by VPC {name}': 'em uso pela VPC {name}',
  'used by network {name}': 'em uso pela rede {name}',
  'used inside every VM for its way to the cluster’s network':
    'em uso dentro de cada VM no caminho para a rede do cluster',
}

/** Why something that exists cannot be done with now, and what to do about it. */
export const servedRefusals: Readonly<Record<string, string>> = {
  ...Object.fromEntries([
    ...vmIs(
      'has not been made yet',
      { 'wait until it has been made': 'aguarde até que seja criada' },
      'ainda não foi criada',
    ),
    ...vmIs(
      'is still getting its disks',
      { 'wait until they are filled': 'aguarde até que terminem' },
      'ainda está recebendo os discos',
    ),
    ...vmIs(
      'is starting',
      { ...nothing, 'wait until it runs': 'aguarde até que esteja em execução' },
      'está sendo ligada',
    ),
    ...vmIs('is running', nothing, 'está em execução'),
    ...vmIs(
      'is paused',
      { ...nothing, 'resume it first': 'retome-a primeiro', 'resume it instead': 'retome-a' },
      'está pausada',
    ),
    ...vmIs(
      'is moving to another machine',
      { ...nothing, 'wait until it has arrived': 'aguarde até que chegue' },
      'está mudando de host',
    ),
    ...vmIs(
      'is restarting',
      { ...nothing, 'wait until it runs again': 'aguarde até que volte' },
      'está reiniciando',
    ),
    ...vmIs(
      'is shutting down',
      {
        ...nothing,
        'start it once it has stopped': 'ligue-a quando tiver desligado',
        'wait until it has stopped': 'aguarde até que esteja desligada',
      },
      'está sendo desligada',
    ),
    ...vmIs(
      'is stopped',
      { ...nothing, 'start it first': 'ligue-a primeiro', 'start it instead': 'ligue-a' },
      'está desligada',
    ),
    ...Object.entries(holders).flatMap(([english, words]): [string, string][] => [
      [english, words],
      [`${english} ({cidr})`, `${words} ({cidr})`],
    ]),
    ...Object.entries(quotas).map(([english, words]): [string, string] => [
      `${english} (limit {limit}, used {used}, asked {asked})`,
      `${words} (limite {limit}, em uso {used}, pedido {asked})`,
    ]),
  ]),
  'VM {name} is being deleted; nothing can be done with it any more.':
    'A VM {name} está sendo excluída; não há mais o que fazer com ela.',
  'VM {name} has a problem; solve the problem that it shows first.':
    'A VM {name} está com um problema; resolva antes o que ela mostra.',
  'VM {name} does not answer at the moment; wait until it answers again, or stop it by force.':
    'A VM {name} não responde no momento; aguarde até que volte a responder ou force o desligamento.',
  'VM {name} does not answer at the moment; wait until it answers again.':
    'A VM {name} não responde no momento; aguarde até que volte a responder.',
  'VM {name} was removed outside of this platform; delete it and deploy it again.':
    'A VM {name} foi removida por fora desta plataforma; exclua-a e implante-a de novo.',
  'VM {name} is held while a snapshot of it is taken; wait until that is ready, or delete it.':
    'A VM {name} está retida enquanto é feito um snapshot dela; aguarde até que fique pronto ou exclua-o.',
  'VM {name} is being brought back to a snapshot; wait until that is over.':
    'A VM {name} está voltando a um snapshot; aguarde até que termine.',
  'VM {name} is protected against deletion; switch the protection off first.':
    'A VM {name} está protegida contra exclusão; desative antes a proteção.',
  'VM {name} has no ISO in its tray; there is nothing to eject.':
    'A VM {name} não tem ISO na bandeja; não há o que ejetar.',
  'VM {name} is just being changed; wait a moment.':
    'A VM {name} está sendo alterada agora; aguarde um momento.',
  'VM {name} is on; stop it first, or ask for the restore with stop.':
    'A VM {name} está ligada; desligue-a primeiro ou deixe que a restauração a desligue.',
  'SSH of VM {name} is not exposed; there is nothing to do.':
    'O SSH da VM {name} não está exposto; não há nada a fazer.',

  'Volume {name} is in use: attached to a VM; detach it first.':
    'O volume {name} está em uso: anexado a uma VM; desanexe-o primeiro.',
  'Volume {name} is in use: a VM still has it; wait until it is detached.':
    'O volume {name} está em uso: uma VM ainda está com ele; aguarde até que seja desanexado.',
  'Volume {name} is in use: a snapshot of it is being taken; wait until that is ready.':
    'O volume {name} está em uso: um snapshot dele está sendo feito; aguarde até que fique pronto.',
  'Volume {name} is attached to no VM; there is nothing to detach.':
    'O volume {name} não está anexado a nenhuma VM; não há o que desanexar.',
  'Volume {name} is not attached to VM {vm}.': 'O volume {name} não está anexado à VM {vm}.',
  'Volume {name} is being deleted; nothing can be done with it any more.':
    'O volume {name} está sendo excluído; não há mais o que fazer com ele.',
  'Volume {name} is still being made; wait until it is ready.':
    'O volume {name} ainda está sendo criado; aguarde até que fique pronto.',
  'Volume {name} was removed outside of this platform; delete it and create another one.':
    'O volume {name} foi removido por fora desta plataforma; exclua-o e crie outro.',
  'Volume {name} could not be made; delete it and create another one.':
    'Não foi possível criar o volume {name}; exclua-o e crie outro.',
  'Volume {name} takes no room before its first use; attach it to a VM first.':
    'O volume {name} não ocupa espaço antes do primeiro uso; anexe-o primeiro a uma VM.',
  'Volume {name} of VM {vm} takes no room yet; start the VM once, or detach the volume.':
    'O volume {name} da VM {vm} ainda não ocupa espaço; ligue a VM uma vez ou desanexe o volume.',
  'Volume {name} is on storage class {class}, whose volumes cannot grow; create a larger one and copy what is on it.':
    'O volume {name} é da classe de armazenamento {class}, cujos volumes não crescem; crie um maior e copie o conteúdo.',
  'Volume {name} is on storage class {class}, which takes no snapshots of volumes; take a snapshot of its VM instead.':
    'O volume {name} é da classe de armazenamento {class}, que não faz snapshots de volumes; faça um da VM.',
  'Volume {name} is being brought back with its VM; wait until that is over.':
    'O volume {name} está sendo restaurado com a VM; aguarde até que termine.',
  'Volume {volume} is in snapshot {name} and not in VM {vm} any more; attach it first.':
    'O volume {volume} está no snapshot {name} e não está mais na VM {vm}; anexe-o primeiro.',
  'A VM takes at most {most} volumes; detach one first.':
    'Uma VM aceita no máximo {most} volumes; desanexe um primeiro.',
  'The platform has not told yet which storage it has; try again in a moment.':
    'A plataforma ainda não disse que armazenamento tem; tente de novo em um momento.',

  'Snapshot {name} is still being taken; wait until it is ready.':
    'O snapshot {name} ainda está sendo feito; aguarde até que fique pronto.',
  'Snapshot {name} could not be taken; take another one.':
    'Não foi possível fazer o snapshot {name}; faça outro.',
  'Snapshot {name} was removed outside of this platform; use another one.':
    'O snapshot {name} foi removido por fora desta plataforma; use outro.',
  'Snapshot {name} is being deleted; use another one.':
    'O snapshot {name} está sendo excluído; use outro.',
  'Snapshot {name} is being restored; wait until the volume is ready, or delete that first.':
    'O snapshot {name} está sendo restaurado; aguarde até que o volume fique pronto ou exclua-o antes.',
  'VM snapshot {name} is in use: a VM is being brought back or made from it; wait until that is over.':
    'O snapshot de VM {name} está em uso: uma VM está sendo restaurada ou criada dele; aguarde até que termine.',
  'VM snapshot {name} does not hold the disk that its VM boots from; nothing can be made from it.':
    'O snapshot de VM {name} não contém o disco de inicialização da VM; nada pode ser criado dele.',
  'VM snapshot {name} does not know which NICs its VM had; ask with mac and ip renewed.':
    'O snapshot de VM {name} não sabe que placas de rede a VM tinha; peça MAC e IP novos.',
  'The VM of snapshot {name} keeps secrets in its TPM, which no copy has; restore the VM itself.':
    'A VM do snapshot {name} guarda segredos no TPM, que cópia nenhuma tem; restaure a própria VM.',
  'The ISO in snapshot {name} was ejected from VM {vm} since; make a new VM from the snapshot.':
    'O ISO do snapshot {name} já foi ejetado da VM {vm}; crie uma VM nova a partir do snapshot.',
  'The copy of volume {former} would be called {name}, which is too long; choose a shorter name.':
    'A cópia do volume {former} se chamaria {name}, o que é longo demais; escolha um nome mais curto.',
  'Schedule {name} is paused already.': 'O agendamento {name} já está pausado.',
  'Schedule {name} has stopped already.': 'O agendamento {name} já parou.',
  'Schedule {name} is active already.': 'O agendamento {name} já está ativo.',
  'There are {most} schedules of it already; delete one first.':
    'Já há {most} agendamentos dele; exclua um primeiro.',

  'Template {name} comes with the platform and cannot be changed; create one of your own.':
    'O template {name} vem com a plataforma e não pode ser alterado; crie um próprio.',
  'Template {name} is being deleted; it can no longer be changed.':
    'O template {name} está sendo excluído; não pode mais ser alterado.',
  'Template {name} is being deleted; choose another one.':
    'O template {name} está sendo excluído; escolha outro.',
  'Template {name} imports nothing; there is nothing to retry.':
    'O template {name} não importa nada; não há o que repetir.',
  'Template {name} is imported already.': 'O template {name} já foi importado.',
  'Template {name} is still being imported; cancel that first.':
    'O template {name} ainda está sendo importado; cancele isso primeiro.',
  'Template {name} is still being imported; wait until it is ready.':
    'O template {name} ainda está sendo importado; aguarde até que fique pronto.',
  'Template {name} could not be imported; retry its import first.':
    'Não foi possível importar o template {name}; repita antes a importação.',
  'Template {name} is not active; activate it or choose another one.':
    'O template {name} não está ativo; ative-o ou escolha outro.',
  'Template {name} is being copied for {vms}; wait until that is deployed, or delete it first.':
    'O template {name} está sendo copiado para {vms}; aguarde a implantação ou exclua-a antes.',

  'Network {name} came with its VPC and goes with it; it cannot be deleted alone.':
    'A rede {name} veio com a VPC e vai com ela; não pode ser excluída sozinha.',
  'Network {name} is used by VMs: {vms}; delete them first.':
    'A rede {name} é usada por VMs: {vms}; exclua-as primeiro.',
  'Network {name} is being deleted; choose another network.':
    'A rede {name} está sendo excluída; escolha outra.',
  'Network {name} is being deleted; it can no longer be changed.':
    'A rede {name} está sendo excluída; não pode mais ser alterada.',
  'Network {name} is not ready: {reason} Choose another network.':
    'A rede {name} não está pronta: {reason} Escolha outra rede.',
  'Network {name} does not give {address} to VMs any more; ask with ip renewed.':
    'A rede {name} não dá mais {address} a VMs; peça um IP novo.',
  'Network {name} has no address left; delete a VM that is in it, or choose another network.':
    'A rede {name} não tem mais endereços; exclua uma VM que está nela ou escolha outra rede.',
  'It could not be made ready in time; it is still being tried.':
    'Não ficou pronta a tempo; ainda se tenta.',
  'VPC {name} came with the tenant and goes with it; it cannot be deleted alone.':
    'A VPC {name} veio com o tenant e vai com ele; não pode ser excluída sozinha.',
  'VPC {name} is used by VMs: {vms}; delete them first.':
    'A VPC {name} é usada por VMs: {vms}; exclua-as primeiro.',
  'VPC {name} has networks: {networks}; delete them first, or with it.':
    'A VPC {name} tem redes: {networks}; exclua-as primeiro ou com ela.',
  'VPC {name} is being deleted; it can no longer be changed.':
    'A VPC {name} está sendo excluída; não pode mais ser alterada.',
  'The default security group cannot be deleted; its rules can be changed.':
    'O grupo de segurança padrão não pode ser excluído; as regras dele podem ser alteradas.',
  'The default security group cannot be renamed; its rules can be changed.':
    'O grupo de segurança padrão não pode ser renomeado; as regras dele podem ser alteradas.',
  'Of VMs for which no other was chosen.': 'Das VMs para as quais nenhum outro foi escolhido.',
  'Security group {name} is used by VM {vms}; give them other groups first.':
    'O grupo de segurança {name} é usado pela VM {vms}; dê antes outro grupo a ela.',
  'Security group {name} is used by VMs {vms}; give them other groups first.':
    'O grupo de segurança {name} é usado pelas VMs {vms}; dê antes outros grupos a elas.',
  'Security group {name} is named in rules of group {groups}; change those rules first.':
    'O grupo de segurança {name} é citado em regras do grupo {groups}; altere antes essas regras.',
  'Security group {name} is named in rules of groups {groups}; change those rules first.':
    'O grupo de segurança {name} é citado em regras dos grupos {groups}; altere antes essas regras.',
  'It is on the network of the platform, which a VM is in for life or never.':
    'Ela está na rede da plataforma, em que uma VM fica a vida toda ou nunca.',
  'It is to be taken out already.': 'Já se pediu a retirada dela.',
  'A VM keeps one NIC at least; put it into another network first.':
    'Uma VM fica com ao menos uma placa de rede; coloque-a antes em outra rede.',
  'The VM has not let go of this network yet; stop it first, or restart it.':
    'A VM ainda não liberou esta rede; desligue-a primeiro ou reinicie-a.',
  'The VM is in this network already.': 'A VM já está nesta rede.',
  'A VM is in at most {most} networks; take it out of one first.':
    'Uma VM fica em no máximo {most} redes; retire-a antes de uma.',
  'There is no public network here: VMs are on the network of the platform and on private ones.':
    'Não há rede pública aqui: as VMs ficam na rede da plataforma e em redes privadas.',

  'Tenant {name} is being deleted; it can no longer be changed.':
    'O tenant {name} está sendo excluído; não pode mais ser alterado.',
  'Tenant {name} is being deleted; nothing can be made in it.':
    'O tenant {name} está sendo excluído; nada pode ser criado nele.',
  'Tenant {name} is not ready yet; wait until it is active.':
    'O tenant {name} ainda não está pronto; aguarde até que fique ativo.',
  'The default tenant belongs to the platform and cannot be deleted.':
    'O tenant padrão pertence à plataforma e não pode ser excluído.',
  'The tenant’s quota does not allow this: {lines}. Free something, or ask for a larger quota.':
    'A cota do tenant não permite isso: {lines}. Libere algo ou peça uma cota maior.',
  'A tenant can have at most {most} security groups; delete one that is no longer used.':
    'Um tenant pode ter no máximo {most} grupos de segurança; exclua um que não é mais usado.',
  'A tenant can have at most {most} SSH keys; delete one that is no longer used.':
    'Um tenant pode ter no máximo {most} chaves SSH; exclua uma que não é mais usada.',
}
