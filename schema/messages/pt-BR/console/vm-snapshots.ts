/** Snapshots of whole machines. */
export const vmSnapshots = {
  'A machine at one moment': 'Uma máquina em certo momento',
  'A new machine that begins as {vmName} was then, with copies of the disks in the snapshot.':
    'Uma nova máquina que começa como {vmName} era então, com cópias dos discos do snapshot.',
  'A whole machine as it was at one moment: its settings and its disks, to go back to.':
    'Uma máquina inteira como era em certo momento: configurações e discos, para poder voltar.',
  'All disks': 'Todos os discos',
  'As after a power cut': 'Como após uma queda de energia',
  Clone: 'Clonar',
  'Clone from {name}': 'Clonar a partir de {name}',
  'Clone machine': 'Clonar máquina',
  'Clone to a new machine': 'Clonar em uma nova máquina',
  Consistency: 'Consistência',
  Covers: 'Abrange',
  Disks: 'Discos',
  'Host name': 'Nome de host',
  'IP addresses': 'Endereços IP',
  'In another snapshot, taken before.': 'Em outro snapshot, feito antes.',
  'In it': 'Incluído',
  'It is a machine of its own': 'É uma máquina própria',
  'Keep how it is now': 'Guardar como está agora',
  'Lower-case letters, digits and dashes. Its volumes are called by it as well.':
    'Letras minúsculas, dígitos e hifens. Os volumes também usam este nome.',
  'MAC addresses': 'Endereços MAC',
  'Machine id': 'Id de máquina',
  'Machine {name} is being made.': 'A máquina {name} está sendo criada.',
  'New snapshot': 'Novo snapshot',
  'No VM snapshots yet': 'Ainda não há snapshots de VMs',
  'No such snapshot': 'Este snapshot não existe',
  'Not all of it can be kept': 'Nem tudo pode ser guardado',
  'Not in it: it forgets with each stop anyway':
    'Não incluído: ele já é apagado a cada desligamento',
  'Not in it: it was left out': 'Não incluído: foi deixado de fora',
  'Not in it: its storage takes no snapshots':
    'Não incluído: o armazenamento dele não faz snapshots',
  'Not yet': 'Ainda não',
  'Of {vmName}': 'De {vmName}',
  'Programs had written down what they knew': 'Os programas tinham gravado tudo o que sabiam',
  'Restore machine': 'Restaurar máquina',
  'Restore the machine': 'Restaurar a máquina',
  'Restore {vmName}?': 'Restaurar {vmName}?',
  'SSH host keys': 'Chaves de host SSH',
  'Search VM snapshots': 'Buscar snapshots de VMs',
  'Search by name or machine': 'Buscar por nome ou máquina',
  'Settings only': 'Só configurações',
  'Size of the machine': 'Tamanho da máquina',
  'Some disks': 'Alguns discos',
  'Start it when it is made': 'Ligar quando estiver pronta',
  'Switch it off first': 'Desligar antes',
  'Take it all the same': 'Fazer mesmo assim',
  'Take one before you change a machine: with it the machine can be what it was, disks and all. What could not be kept is told per disk.':
    'Faça um antes de alterar uma máquina: com ele a máquina pode voltar a ser o que era, com discos e tudo. O que não pôde ser guardado é dito por disco.',
  'Taken before a restore': 'Feito antes de uma restauração',
  'Taken by a schedule': 'Feito por um agendamento',
  'Takes over from {vmName}': 'Mantém de {vmName}',
  'The disks that are named are left out.': 'Os discos citados ficam de fora.',
  'The machine had no disk of its own.': 'A máquina não tinha disco próprio.',
  'The machine was off': 'A máquina estava desligada',
  'The whole machine as it is now, also while it runs: its settings, and every disk whose storage can.':
    'A máquina inteira como está agora, mesmo em execução: as configurações e todo disco cujo armazenamento permite.',
  'Try fewer letters, or the name of the machine.':
    'Tente com menos letras ou com o nome da máquina.',
  'VM snapshot': 'Snapshot de VM',
  'What SSH clients know it by': 'Pelo que os clientes SSH a conhecem',
  'What it does not take over is new, so that nobody takes it for {vmName}.':
    'O que ela não mantém é novo, para que ninguém a confunda com {vmName}.',
  'What its system is known by': 'Pelo que o sistema é conhecido',
  'What the guest calls itself': 'Como o sistema chama a si mesmo',
  'Where nobody has them now': 'Onde ninguém os tem agora',
  'Without this, a machine that runs is not restored.':
    'Sem isso, uma máquina em execução não é restaurada.',
  '{name} is being restored.': '{name} está sendo restaurada.',
  '{vmName} becomes what it was in {name}: its size, and the disks that are in it. What was written to those disks since then is no longer on them. The machine is off afterwards.':
    '{vmName} volta a ser como era em {name}: o tamanho e os discos que estão nele. O que foi gravado nesses discos desde então deixa de existir. Depois a máquina fica desligada.',
  '{vmName} stays as it is, but can no longer be made what it was then.':
    '{vmName} fica como está, mas não poderá mais voltar a ser como era então.',
}
