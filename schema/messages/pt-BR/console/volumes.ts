/** Volumes, their snapshots, and classes of storage. */
export const volumes = {
  'A disk of this tenant': 'Um disco deste tenant',
  'A disk that lives by itself, in one machine at a time.':
    'Um disco independente, em uma máquina por vez.',
  'A running machine gets the disk at once, a stopped one with its next start.':
    'Uma máquina em execução recebe o disco na hora; uma desligada, quando for ligada.',
  'A volume as it was at one moment. It stays when the volume goes, and any number of new volumes can begin as it.':
    'Um volume como era em certo momento. Permanece quando o volume é excluído, e dele podem nascer quantos volumes você quiser.',
  'A volume keeps data apart from the machine: a database, uploads, a home directory. Delete the machine and the volume is still there, ready for the next one.':
    'Um volume guarda dados fora da máquina: um banco de dados, uploads, um diretório pessoal. Exclua a máquina e o volume continua lá, pronto para a próxima.',
  'As a snapshot': 'Como um snapshot',
  'At least {size}, the size of the snapshot.': 'No mínimo {size}, o tamanho do snapshot.',
  'Attach volume': 'Anexar volume',
  'Attached to': 'Anexado a',
  Begins: 'Conteúdo inicial',
  'Choose a machine': 'Escolha uma máquina',
  'Choose the snapshot that it begins as': 'Escolha o snapshot inicial',
  'Create volume': 'Criar volume',
  'Delete snapshot': 'Excluir snapshot',
  'Delete volume': 'Excluir volume',
  Detach: 'Desanexar',
  'Detach volume': 'Desanexar volume',
  'Detach {name}?': 'Desanexar {name}?',
  'Disks that outlive the machines they serve: attach one, take it away, give it to the next.':
    'Discos que duram mais do que as máquinas: anexe um, desanexe, passe para a próxima.',
  Empty: 'Vazio',
  'Go to volumes': 'Ir para os volumes',
  Grow: 'Expandir',
  'Grow volume': 'Expandir volume',
  'Grow {name}': 'Expandir {name}',
  Grows: 'Expansível',
  'In machine': 'Na máquina',
  'In trouble': 'Com problemas',
  'It can grow later where its class can; it never shrinks.':
    'Pode crescer depois, se a classe permitir; nunca encolhe.',
  'It has {size} now, and never shrinks.': 'Tem {size} agora e nunca encolhe.',
  'It is as after a power cut': 'Fica como após uma queda de energia',
  'Live migration': 'Migração ao vivo',
  'Lower-case letters, digits and dashes. What guests know it by stays.':
    'Letras minúsculas, dígitos e hifens. A identificação nos sistemas convidados não muda.',
  'New size': 'Novo tamanho',
  'New volume': 'Novo volume',
  'No machine of that name.': 'Nenhuma máquina com esse nome.',
  'No snapshot matches': 'Nenhum snapshot corresponde à busca',
  'No snapshot of that name.': 'Nenhum snapshot com esse nome.',
  'No snapshots yet': 'Ainda não há snapshots',
  'No storage here takes snapshots of single volumes':
    'Nenhum armazenamento daqui faz snapshots de volumes avulsos',
  'No such volume': 'Este volume não existe',
  'No volume matches': 'Nenhum volume corresponde à busca',
  'No volumes yet': 'Ainda não há volumes',
  'None yet. A snapshot keeps what is on the volume now.':
    'Nenhum ainda. Um snapshot guarda o que há no volume agora.',
  Restore: 'Restaurar',
  'Restore to a new volume': 'Restaurar em um novo volume',
  'Restore {name}': 'Restaurar {name}',
  'Search by name or volume': 'Buscar por nome ou volume',
  'Search snapshots': 'Buscar snapshots',
  'Search volumes': 'Buscar volumes',
  'Serial in the guest': 'Número de série no convidado',
  Snapshot: 'Snapshot',
  'Snapshot of {name}': 'Snapshot de {name}',
  'Snapshot {name} is being deleted.': 'O snapshot {name} está sendo excluído.',
  'Snapshot {name} is being taken.': 'O snapshot {name} está sendo feito.',
  Snapshots: 'Snapshots',
  'Storage class': 'Classe de armazenamento',
  'Take one before an upgrade or a risky change: what was on the volume can then be had again, beside what is there now. They are taken from the list of volumes.':
    'Faça um antes de uma atualização ou mudança arriscada: o que havia no volume poderá ser recuperado, ao lado do que há agora. Eles são feitos na lista de volumes.',
  'Take snapshot': 'Fazer snapshot',
  Taken: 'Feito',
  'Taken of': 'Origem',
  'Takes room': 'Ocupa espaço',
  'The machine loses the disk, also while it runs. Unmount it in the guest first, or what was not written yet is lost. The volume and what is on it stay.':
    'A máquina perde o disco, mesmo em execução. Desmonte-o antes no convidado, senão o que ainda não foi gravado se perde. O volume e o seu conteúdo permanecem.',
  'There is no machine yet; deploy one first.': 'Ainda não há máquinas; implante uma primeiro.',
  'There is no snapshot yet; take one of a volume first.':
    'Ainda não há snapshots; faça um de um volume primeiro.',
  'To a volume of its own; the snapshot stays as it is.':
    'Em um volume próprio; o snapshot fica como está.',
  'Try fewer letters, or show all of them.': 'Tente com menos letras ou mostre todos.',
  'Try fewer letters, or the name of the volume.':
    'Tente com menos letras ou com o nome do volume.',
  Volume: 'Volume',
  'Volume {name} grows to {size}.': 'O volume {name} cresce para {size}.',
  'Volume {name} is being attached.': 'O volume {name} está sendo anexado.',
  'Volume {name} is being created.': 'O volume {name} está sendo criado.',
  'Volume {name} is being deleted.': 'O volume {name} está sendo excluído.',
  'Volume {name} is being detached.': 'O volume {name} está sendo desanexado.',
  'What is on it now is kept, also when the volume is deleted.':
    'O que há nele agora fica guardado, mesmo que o volume seja excluído.',
  'What is on it stays. Inside the guest the file system has to be grown as well.':
    'O conteúdo permanece. O sistema de arquivos também precisa ser expandido dentro do convidado.',
  'What {name} has not written yet is not in it. Stop the machine first where that matters.':
    'O que {name} ainda não gravou não entra nele. Se isso importa, desligue a máquina antes.',
  'What {volumeName} was then can no longer be had. Volumes that were made from it stay.':
    'O estado de {volumeName} daquele momento não poderá mais ser recuperado. Os volumes criados a partir dele permanecem.',
  'Which volumes': 'Quais volumes',
  'With its first use': 'No primeiro uso',
  Yes: 'Sim',
  'takes room at once': 'ocupa espaço na hora',
  'takes room with its first use': 'ocupa espaço no primeiro uso',
  '{size} on {storageClass}': '{size} em {storageClass}',
}
