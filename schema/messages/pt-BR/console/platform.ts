/** Tenants, operations, the overview and the playground. */
export const platform = {
  // Tenants
  'A tenant is a customer, a team or a project that must not see the others. Create the first one and hand its administrator the password.':
    'Um tenant é um cliente, uma equipe ou um projeto que não deve ver os outros. Crie o primeiro e entregue a senha ao administrador.',
  'Act in this tenant': 'Atuar neste tenant',
  'Administrator’s password': 'Senha do administrador',
  'Copy the namespace of {name}': 'Copiar o namespace de {name}',
  'Create tenant': 'Criar tenant',
  'Delete tenant': 'Excluir tenant',
  'Each tenant has its own namespace, users, networks and limits.':
    'Cada tenant tem o seu próprio namespace, usuários, redes e limites.',
  'It gets a namespace, a default VPC and one administrator.':
    'Recebe um namespace, uma VPC padrão e um administrador.',
  'Its users, machines, disks, snapshots and networks go with it. This cannot be undone.':
    'Os usuários, máquinas, discos, snapshots e redes são excluídos com ele. Isso não pode ser desfeito.',
  'Its limits are not known yet': 'Os limites ainda não são conhecidos',
  'Keep it in a safe place, or set a new one later.':
    'Guarde-a em lugar seguro ou defina outra depois.',
  Limits: 'Limites',
  'Limits of {name}': 'Limites de {name}',
  'Lower-case letters, digits and dashes, 40 at most; it begins and ends with a letter or digit':
    'Letras minúsculas, dígitos e hifens, no máximo 40; começa e termina com letra ou dígito',
  'Name and description can change; slug and namespace stay.':
    'Nome e descrição podem mudar; slug e namespace não.',
  'Names the namespace and stands in addresses; it never changes.':
    'Dá nome ao namespace e aparece em endereços; nunca muda.',
  Namespace: 'Namespace',
  'New tenant': 'Novo tenant',
  'No limit': 'Sem limite',
  'No tenant matches': 'Nenhum tenant corresponde à busca',
  'No tenants yet': 'Ainda não há tenants',
  'Save limits': 'Salvar limites',
  'Search by name or slug': 'Buscar por nome ou slug',
  'Search tenants': 'Buscar tenants',
  Slug: 'Slug',
  'The limits of {name} hold from now on.': 'Os limites de {name} valem a partir de agora.',
  'The most it may have of each. A field left empty is no limit; what it has already, it keeps.':
    'O máximo que pode ter de cada coisa. Campo vazio é sem limite; o que já tem, continua tendo.',
  'The tenant is not active': 'O tenant não está ativo',
  'Try fewer letters, or the slug.': 'Tente com menos letras ou com o slug.',
  'Watch it being created': 'Acompanhar a criação',
  '{amount} in use': '{amount} em uso',
  '{name} is being created. The password is shown this once.':
    '{name} está sendo criado. A senha é mostrada só desta vez.',

  // Operations
  ', show its operation': ', mostrar a operação',
  'All operations': 'Todas as operações',
  'Asked by': 'Pedida por',
  'Cancel operation': 'Cancelar operação',
  'Create something, and you can watch it being made here.':
    'Crie algo e acompanhe a criação por aqui.',
  'Failed operations': 'Operações com falha',
  'It is being cancelled': 'Está sendo cancelada',
  'It cannot be cancelled at this point, or not with your role':
    'Não pode ser cancelada neste ponto, ou não com o seu papel',
  'It may be older than what Berth keeps.': 'Pode ser mais antiga do que o Berth guarda.',
  'No operations yet': 'Ainda não há operações',
  'No such operation': 'Esta operação não existe',
  'None of this kind': 'Nenhuma deste tipo',
  Operation: 'Operação',
  'Progress of {operation}': 'Progresso de {operation}',
  'Recent operations': 'Operações recentes',
  'Running operations': 'Operações em andamento',
  'Show all to see the others.': 'Mostre todas para ver as outras.',
  Steps: 'Etapas',
  'Steps and outcome': 'Etapas e resultado',
  Target: 'Alvo',
  'The operator of the platform can mend this.': 'O operador da plataforma pode resolver isto.',
  'Waiting for its turn': 'Aguardando a vez',
  'What was asked for and needs the cluster: every step while it happens, and why it stopped if it did.':
    'O que foi pedido e depende do cluster: cada etapa enquanto acontece, e o motivo, se parou.',
  'Whatever needs the cluster shows up here while it happens: each step, how far it is, and why it failed if it does.':
    'O que depende do cluster aparece aqui enquanto acontece: cada etapa, o andamento e o motivo, se falhar.',
  'Which operations': 'Quais operações',
  'You can mend this.': 'Você pode resolver isto.',
  'by {name}': 'por {name}',

  // Overview
  Account: 'Conta',
  'Capacity of the cluster': 'Capacidade do cluster',
  Cluster: 'Cluster',
  'Each core takes up to {n} vCPU, and they share it: the more are promised, the slower each is when all are busy.':
    'Cada núcleo recebe até {n} vCPU, que o compartilham: quanto mais prometidas, mais lenta fica cada uma quando todas estão ocupadas.',
  Hosts: 'Hosts',
  'Little CPU is left': 'Resta pouca CPU',
  'Little memory is left': 'Resta pouca memória',
  'Machines that start may soon find no host. Add a host, or stop what nobody needs.':
    'Em breve as máquinas que ligam podem não encontrar host. Adicione um host ou pare o que ninguém usa.',
  'More than it may have.': 'Mais do que pode ter.',
  'No machine is in trouble': 'Nenhuma máquina com problemas',
  'No host takes machines': 'Nenhum host recebe máquinas',
  'None can start. Bring a host back, or open one that was closed for maintenance.':
    'Nenhuma máquina pode ligar. Recupere um host ou reabra um que foi fechado para manutenção.',
  'Promised to machines of all tenants that run or are about to; each needs some 300 MiB of its host besides.':
    'Prometido às máquinas de todos os tenants que estão em execução ou prestes a ligar; cada uma precisa ainda de cerca de 300 MiB do host.',
  'The cluster does not answer': 'O cluster não responde',
  'The cluster has not said yet what its hosts have.':
    'O cluster ainda não informou o que seus hosts têm.',
  Version: 'Versão',
  'What is going on in {name}.': 'O que está acontecendo em {name}.',
  'What is going on on this platform.': 'O que está acontecendo nesta plataforma.',
  'What the hosts have cannot be told: Berth may not list them. Give its service account the right to list nodes.':
    'Não se sabe o que os hosts têm: o Berth não pode listá-los. Dê à conta de serviço dele o direito de listar nodes.',
  'What the hosts have is as of {time}.': 'O que os hosts têm é de {time}.',
  You: 'Você',
  'of {n} core | of {n} cores': 'de {n} núcleo | de {n} núcleos',
  '{amount} promised': '{amount} prometidos',
  '{n} granted': '{n} concedidas',
  '{n} is not ready | {n} are not ready': '{n} não está pronto | {n} não estão prontos',
  '{n} machine is in trouble | {n} machines are in trouble':
    '{n} máquina com problemas | {n} máquinas com problemas',
  '{n} machine is starting or stopping | {n} machines are starting or stopping':
    '{n} máquina ligando ou desligando | {n} máquinas ligando ou desligando',
  '{n} running': '{n} em execução',
  '{open} of {n} takes machines | {open} of {n} take machines':
    '{open} de {n} recebe máquinas | {open} de {n} recebem máquinas',

  'The cluster is incomplete': 'O cluster está incompleto',
  'Operations that need this wait, and continue by themselves.':
    'As operações que precisam disso aguardam e continuam sozinhas.',
  'The operation continues by itself when the operator has fixed this.':
    'A operação continua sozinha quando o operador resolver isso.',
  'Compatibility with VirtFoundry is on': 'A compatibilidade com o VirtFoundry está ativada',
  'Logs of proxies may contain access tokens, and clients without a login can learn when VMs change. The key is `compat.virtfoundry`.':
    'Logs de proxies podem conter tokens de acesso, e clientes sem login podem saber quando VMs mudam. A chave é `compat.virtfoundry`.',

  // Cluster
  Available: 'Disponível',
  'Attach NICs to running VMs': 'Conectar NICs a VMs em execução',
  'Attach disks to running VMs': 'Anexar discos a VMs em execução',
  'Bridges on the nodes are created by Berth': 'As bridges nos nodes são criadas pelo Berth',
  'Exports of VMs': 'Exportações de VMs',
  Features: 'Recursos',
  'Firmware and TPM state survive restarts':
    'O estado do firmware e do TPM é mantido nas reinicializações',
  KubeVirt: 'KubeVirt',
  Kubernetes: 'Kubernetes',
  'Network drivers': 'Drivers de rede',
  'Not available': 'Indisponível',
  'Not found': 'Não encontrado',
  'Security groups in private networks': 'Grupos de segurança em redes privadas',
  'Snapshots of VMs': 'Snapshots de VMs',
  'Snapshots of volumes': 'Snapshots de volumes',
  'Storage class {name}': 'Classe de armazenamento {name}',
  'Admission policies between the networks of tenants':
    'Políticas de admissão entre as redes dos tenants',
  'The features that the cluster offers, and what it lacks for the others.':
    'Os recursos que o cluster oferece e o que falta para os demais.',
  Unknown: 'Desconhecido',
  'VMs can move to another node while they run': 'As VMs podem mudar de node durante a execução',
  Versions: 'Versões',
  'Volumes and imports of images': 'Volumes e importações de imagens',
  'Volumes can grow': 'Os volumes podem crescer',

  // Playground
  Answer: 'Resposta',
  Docs: 'Docs',
  Documentation: 'Documentação',
  History: 'Histórico',
  'History of runs': 'Histórico de execuções',
  'It could not be sent.': 'Não foi possível enviar.',
  Listening: 'Escutando',
  'Listening · {n} event | Listening · {n} events':
    'Escutando · {n} evento | Escutando · {n} eventos',
  'No completion and no docs': 'Sem sugestões e sem documentação',
  'No type is called that.': 'Nenhum tipo tem esse nome.',
  'Not sent': 'Não enviado',
  Query: 'Consulta',
  Run: 'Executar',
  'Runs as {name}. Ctrl-Enter runs the operation under the cursor.':
    'Executa como {name}. Ctrl-Enter executa a operação sob o cursor.',
  Schema: 'Esquema',
  'Search types': 'Buscar tipos',
  'Stopped after {n} event | Stopped after {n} events':
    'Parado após {n} evento | Parado após {n} eventos',
  'The schema is not known': 'O esquema não é conhecido',
  'The stream ended after {n} event | The stream ended after {n} events':
    'O fluxo terminou após {n} evento | O fluxo terminou após {n} eventos',
  'This server does not tell its schema. An operator can switch it on with {setting} in berth.yaml. Queries run all the same.':
    'Este servidor não revela o esquema. Um operador pode ativar isso com {setting} em berth.yaml. As consultas funcionam mesmo assim.',
  Variables: 'Variáveis',
  'event {at}': 'evento {at}',
  'VMs of all tenants': 'VMs de todos os tenants',
  'Open a VM to act in its tenant.': 'Abra uma VM para atuar no tenant dela.',
  'Search VMs': 'Buscar VMs',
  'All tenants': 'Todos os tenants',
  Node: 'Nó',
  'No tenant has a VM': 'Nenhum tenant tem uma VM',
  'No VM matches': 'Nenhuma VM corresponde',
  'Try a shorter term, or all tenants.': 'Tente um termo menor ou todos os tenants.',
  'VMs appear here as soon as a tenant deploys them.':
    'As VMs aparecem aqui assim que um tenant as cria.',
}
