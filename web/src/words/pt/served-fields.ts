/** What is wrong with one field of what was asked. */
export const servedFields: Readonly<Record<string, string>> = {
  'cannot be changed on a template that was imported; retry its import with another URL, or create another template':
    'não pode ser alterado em um template importado; repita a importação com outro URL ou crie outro template',
  'does not fit the addresses; leave one of them out':
    'não combina com os endereços; deixe um dos dois de fora',
  'is a URL, but a container template needs the reference of a container disk; choose the source type iso to import from a URL':
    'é um URL, mas um template de contêiner precisa da referência de um disco de contêiner; escolha ISO para importar de um URL',
  'is for tcp and udp only': 'é só para tcp e udp',
  'is not your password': 'não é a sua senha',
  'is required': 'é obrigatório',
  'is required where no image is named': 'é obrigatório onde nenhuma imagem é indicada',
  'is of another VM than {vm}': 'é de outra VM que não {vm}',
  'has "{part}" as its {field}, which must be from {least} to {most}':
    'tem "{part}" onde o valor deve ir de {least} a {most}',
  'has cloud-init text that {problem}': 'tem um texto de cloud-init com erro: {problem}',
  'may contain letters, digits and . _ @ + - only, and starts with a letter or digit':
    'pode conter só letras, dígitos e . _ @ + -, e começa com letra ou dígito',
  'must be {class}, which the snapshot is on': 'deve ser {class}, em que está o snapshot',
  'must be 0 for the newest, or down to -{most} for one before it':
    'deve ser 0 para o mais novo, ou até -{most} para um anterior',
  'must be 1 to {most}': 'deve ir de 1 a {most}',
  'must be a /{prefix} or larger': 'deve ser um /{prefix} ou maior',
  'must be a /{prefix} or larger, or no VM would fit in':
    'deve ser um /{prefix} ou maior, ou não caberia nenhuma VM',
  'must be a URL such as https://images.example.com/disk.iso':
    'deve ser um URL como https://images.example.com/disk.iso',
  'must be a range of addresses, as 203.0.113.0/24 or 2001:db8::/32':
    'deve ser um intervalo de endereços, como 203.0.113.0/24 ou 2001:db8::/32',
  'must be a whole number from {least} to {most}, or 0 for any that is free':
    'deve ser um número inteiro de {least} a {most}, ou 0 para qualquer um livre',
  'must be a whole number of GiB, 1 or more': 'deve ser um número inteiro de GiB, 1 ou mais',
  'must be a whole number up to {most}': 'deve ser um número inteiro até {most}',
  'must be a whole number, 0 or more, or null for no limit':
    'deve ser um número inteiro, 0 ou mais, ou vazio para nenhum limite',
  'must be an IPv4 network such as 10.1.0.0/16': 'deve ser uma rede IPv4 como 10.1.0.0/16',
  'must be an IPv4 network such as 10.1.2.0/24': 'deve ser uma rede IPv4 como 10.1.2.0/24',
  'must be an e-mail address': 'deve ser um endereço de e-mail',
  'must be at least {least}, the size of the snapshot':
    'deve ser ao menos {least}, o tamanho do snapshot',
  'must be at least {least}: a volume grows and never shrinks':
    'deve ser ao menos {least}: um volume cresce e nunca encolhe',
  'must be at most {most}': 'deve ser no máximo {most}',
  'must be at most {most} GiB': 'deve ser no máximo {most} GiB',
  'must be at most {most} KiB': 'deve ter no máximo {most} KiB',
  'must be at most {most} characters': 'deve ter no máximo {most} caracteres',
  'must be at most {most} characters each': 'devem ter no máximo {most} caracteres cada',
  'must be at most {most} characters, for its snapshots are called by it and the time':
    'deve ter no máximo {most} caracteres, pois os snapshots levam o nome dele e a hora',
  'must be from {least} to {most}': 'deve ir de {least} a {most}',
  'must be from {least}, which is the whole VPC, to {most}':
    'deve ir de {least}, que é a VPC inteira, a {most}',
  'must be greater than 0': 'deve ser maior que 0',
  'must be inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16':
    'deve estar dentro de 10.0.0.0/8, 172.16.0.0/12 ou 192.168.0.0/16',
  "must be inside the VPC's {cidr}": 'deve estar dentro de {cidr}, da VPC',
  'must be left out where MACs or addresses are kept: the NICs are then those of the snapshot':
    'deve ficar de fora onde MACs ou endereços são mantidos: as placas de rede são então as do snapshot',
  'must be named: this installation has no default storage class':
    'deve ser indicada: esta instalação não tem classe de armazenamento padrão',
  'must be one line of at most {most} characters':
    'deve ser uma linha de no máximo {most} caracteres',
  'must be persistent: what is installed from an ISO has to stay':
    'deve ser persistente: o que é instalado de um ISO tem de ficar',
  'must be renew: the VM had no address but that of the platform’s network, which is given anew to each':
    'deve ser novo: a VM só tinha o endereço da rede da plataforma, que é dado de novo a cada uma',
  'must be text, without control characters': 'deve ser texto, sem caracteres de controle',
  'must be the name of a storage class: lower-case letters, digits, "-" and "."':
    'deve ser o nome de uma classe de armazenamento: letras minúsculas, dígitos, "-" e "."',
  'must be the name of a time zone, such as Europe/Lisbon or UTC':
    'deve ser o nome de um fuso horário, como Europe/Lisbon ou UTC',
  'must be the reference of a container disk, such as quay.io/containerdisks/fedora:40':
    'deve ser a referência de um disco de contêiner, como quay.io/containerdisks/fedora:40',
  'must contain a letter or a digit': 'deve conter uma letra ou um dígito',
  'must have at least {least} characters': 'deve ter ao menos {least} caracteres',
  'must have at most {most} characters': 'deve ter no máximo {most} caracteres',
  'must have five fields: minute, hour, day of the month, month, day of the week, such as 30 2 * * *':
    'deve ter cinco campos: minuto, hora, dia do mês, mês, dia da semana, como 30 2 * * *',
  'must keep hostname, machineId and hostKeys: Windows renews these itself, with sysprep':
    'deve manter nome de host, id da máquina e chaves do host: o próprio Windows os renova, com o sysprep',
  'must name each network once: a VM has one NIC in it':
    'deve citar cada rede uma vez: uma VM tem uma placa de rede nela',
  'must name either a cidr or a peerGroupId': 'deve citar um intervalo de endereços ou um grupo',
  'must name one at least': 'deve citar ao menos um',
  'must name one at least, or the VM would have no NIC at all':
    'deve citar ao menos uma, ou a VM não teria placa de rede nenhuma',
  'must not be empty': 'não pode ficar vazio',
  'must not be less than portFrom': 'não pode ser menor que a primeira porta',
  'must not be the username': 'não pode ser o nome de usuário',
  'names a day that never comes, such as the 30th of February':
    'cita um dia que nunca vem, como 30 de fevereiro',
  'names {offering}, which is not offered any more; choose another one':
    'cita {offering}, que não é mais oferecida; escolha outra',
  'needs a NIC on the network of the platform, where the port leads':
    'precisa de uma placa na rede da plataforma, aonde a porta leva',
  'or id is needed, and only one of them': 'ou o id é necessário, e só um deles',
  'or volumeId is needed, and only one of them': 'ou um volume é necessário, e só um deles',
}
