/** What machines are made from and with: templates, sizes, cloud-init, SSH keys. */
export const templates = {
  'A container disk is a ready-made system that boots in seconds. An ISO is an installer: Berth fetches it once, and each machine installs from a copy.':
    'Um disco em contêiner é um sistema pronto que inicia em segundos. Uma ISO é um instalador: o Berth a baixa uma vez, e cada máquina instala a partir de uma cópia.',
  'Boot disk': 'Disco de boot',
  'Cancel the import': 'Cancelar a importação',
  'Container disk': 'Disco em contêiner',
  'Correct it, or leave it as it is to try the same place again.':
    'Corrija, ou deixe como está para tentar o mesmo endereço de novo.',
  'Create template': 'Criar template',
  'Delete template': 'Excluir template',
  'Deploy a machine': 'Implantar uma máquina',
  'Every machine made from it begins with this, unless its deployer writes another.':
    'Toda máquina feita a partir dele começa com isto, salvo se quem implantar escrever outro.',
  'You may not read its user data. It stays, unless you write another.':
    'Você não pode ler os dados de usuário dele. Eles permanecem, a menos que você escreva outros.',
  'Berth fetches it once; each machine gets a copy to install from.':
    'O Berth a baixa uma vez; cada máquina recebe uma cópia para instalar.',
  'ISO image': 'Imagem ISO',
  'Import ISO': 'Importar ISO',
  'Import again': 'Importar de novo',
  'Import failed': 'A importação falhou',
  'Import of {name}': 'Importação de {name}',
  Importing: 'Importando',
  'Machines can be made from {name} now.': 'Já é possível criar máquinas a partir de {name}.',
  'Made from': 'Origem',
  'New template': 'Novo template',
  'No template matches': 'Nenhum template corresponde à busca',
  'No templates of your own yet': 'Você ainda não tem templates',
  'Nobody can deploy from it any more. Machines made from it stay as they are.':
    'Ninguém mais poderá implantar a partir dele. As máquinas já criadas ficam como estão.',
  Other: 'Outro',
  'Room for the ISO': 'Espaço para a ISO',
  'Say where the image is': 'Informe onde está a imagem',
  'Scripts know it as {name}.': 'Scripts o conhecem como {name}.',
  'Scripts will know it as {slug}.': 'Scripts o conhecerão como {slug}.',
  'Search templates': 'Buscar templates',
  Template: 'Template',
  'The import of {name} is being cancelled.': 'A importação de {name} está sendo cancelada.',
  'The import of {name} is over already.': 'A importação de {name} já terminou.',
  'The reference of an image that holds a disk; it is pulled when a machine starts.':
    'A referência de uma imagem que contém um disco; é baixada quando uma máquina é ligada.',
  'Try fewer letters, or part of the image’s address.':
    'Tente com menos letras ou com parte do endereço da imagem.',
  'URL of the ISO': 'URL da ISO',
  'What machines are made from.': 'A origem das máquinas.',
  'What machines are made from: the platform’s own, and the disks and installers that you bring.':
    'A origem das máquinas: os templates da plataforma e os discos e instaladores que você traz.',
  'What you change holds for machines deployed from now on.':
    'O que você mudar vale para as máquinas implantadas daqui em diante.',
  'Whose templates': 'De quem são os templates',
  'Why it failed': 'Motivo da falha',
  Yours: 'Seus',
  '{name} is being imported.': '{name} está sendo importado.',
  '{name} keeps its name and its settings.': '{name} mantém o nome e as configurações.',
  '{part} of {whole}': '{part} de {whole}',
  vCPU: 'vCPU',
  '{time} left': 'faltam {time}',

  // Sizes
  'A new size holds for machines deployed from now on.':
    'Um novo tamanho vale para as máquinas implantadas daqui em diante.',
  'A size that tenants can choose when they deploy a machine.':
    'Um tamanho que os tenants podem escolher ao implantar uma máquina.',
  'CPU time': 'Tempo de CPU',
  'Create offering': 'Criar oferta',
  Custom: 'Personalizado',
  Dedicated: 'Dedicado',
  'Dedicated cores': 'Núcleos dedicados',
  'Dedicated processors': 'Processadores dedicados',
  'Delete offering': 'Excluir oferta',
  'Each vCPU has a core of its own; the node must have them free.':
    'Cada vCPU tem um núcleo só seu; o nó precisa tê-los livres.',
  'New offering': 'Nova oferta',
  'New service offering': 'Nova oferta de serviço',
  'No offering matches': 'Nenhuma oferta corresponde à busca',
  'No offerings yet': 'Ainda não há ofertas',
  'Nobody can choose it any more. To keep it for later, deactivate it instead.':
    'Ninguém mais poderá escolhê-la. Para guardá-la para depois, desative-a.',
  Offering: 'Oferta',
  Processors: 'Processadores',
  'Search offerings': 'Buscar ofertas',
  Shared: 'Compartilhado',
  'Shown as': 'Exibida como',
  'Sized by': 'Tamanho por',
  'That is {memory}.': 'São {memory}.',
  'The name never changes: scripts know it.': 'O nome nunca muda: scripts o conhecem.',
  'The sizes a machine can have. What is inactive is no longer offered; machines that use it keep it.':
    'Os tamanhos que uma máquina pode ter. O que está inativo não é mais oferecido; as máquinas que o usam o mantêm.',
  'Try fewer letters, or show the inactive ones too.':
    'Tente com menos letras ou mostre também as inativas.',
  'What scripts and the API call it.': 'Como scripts e a API a chamam.',
  'Which offerings': 'Quais ofertas',
  'Without an offering nobody can deploy a machine.':
    'Sem uma oferta ninguém pode implantar uma máquina.',
  '{name} can be chosen again.': '{name} pode ser escolhida de novo.',
  '{name} can be chosen now.': '{name} já pode ser escolhida.',
  '{name} is no longer offered.': '{name} não é mais oferecida.',

  // Cloud-init
  'A setting is written as “name: value”': 'Uma configuração se escreve “nome: valor”',
  'A space is missing after the colon': 'Falta um espaço depois dos dois-pontos',
  'It is longer than 16 KiB': 'Tem mais de 16 KiB',
  'It must begin with #cloud-config': 'Precisa começar com #cloud-config',
  'It must begin with #cloud-config to take keys or a password':
    'Precisa começar com #cloud-config para receber chaves ou senha',
  'YAML is indented by spaces, not by tabs': 'YAML é recuado com espaços, não com tabulações',
  '“{key}” is set in line {before} already': '“{key}” já está definido na linha {before}',

  // SSH keys
  Added: 'Adicionada',
  'Berth makes the pair, keeps the public half and shows you the private one, once. Nothing of it stays here.':
    'O Berth gera o par, guarda a parte pública e mostra a privada uma única vez. Nada dela fica aqui.',
  'Copy private key': 'Copiar chave privada',
  'Copy the public key {name}': 'Copiar a chave pública {name}',
  'Delete key': 'Excluir chave',
  'Download {file}': 'Baixar {file}',
  Fingerprint: 'Impressão digital',
  How: 'Como',
  'Keep it where only you can read it ({command}). If it is lost, delete the key and make another.':
    'Guarde-a onde só você possa ler ({command}). Se for perdida, exclua a chave e crie outra.',
  'Machines that are deployed with it let its owner in.':
    'As máquinas implantadas com ela dão acesso ao dono.',
  'Make a new pair': 'Gerar um novo par',
  'Make the pair': 'Gerar o par',
  'New SSH key': 'Nova chave SSH',
  'New machines can no longer be given it. Machines that have it keep letting its owner in.':
    'Ela não poderá mais ser usada em novas máquinas. As que já a têm continuam dando acesso ao dono.',
  'No SSH keys yet': 'Ainda não há chaves SSH',
  'No key matches': 'Nenhuma chave corresponde à busca',
  'Private key': 'Chave privada',
  'Public key': 'Chave pública',
  'Public keys that new machines can be given, so that their owners log in without a password.':
    'Chaves públicas que novas máquinas podem receber, para que os donos entrem sem senha.',
  'Register key': 'Cadastrar chave',
  'Register one you have': 'Cadastrar uma existente',
  'Register the public key of your laptop, or have a pair made here. Choose it when you deploy, and {command} lets you in from the first boot.':
    'Cadastre a chave pública do seu computador ou gere um par aqui. Escolha-a ao implantar, e o {command} funciona desde o primeiro boot.',
  'Search SSH keys': 'Buscar chaves SSH',
  'Search by name or fingerprint': 'Buscar por nome ou impressão digital',
  'The line in {file}.': 'A linha em {file}.',
  'The private half of {name}. It is shown this once.':
    'A parte privada de {name}. É mostrada só desta vez.',
  '{name} can be given to new machines.': '{name} já pode ser usada em novas máquinas.',
}
