import { type vmSnapshot as english } from '../en/vm-snapshot.ts'
import { type Translation } from '../catalogue.ts'

export const vmSnapshot: Translation<typeof english> = {
  'vm_snapshot.name_taken': 'Já existe um snapshot de VM com o nome {name}; escolha outro.',
  'vm_snapshot.name_taken_meanwhile': 'Já existe um snapshot de VM com este nome; escolha outro.',
  'vm_snapshot.lacks_disks':
    'Um snapshot da VM {vm} ficaria sem {disks}. Aceite isso para fazê-lo mesmo assim.',
  'vm_snapshot.lacks_all_disks':
    'Um snapshot da VM {vm} ficaria sem {disks}. Guardaria só as configurações. Aceite isso para fazê-lo mesmo assim.',
  'vm_snapshot.lacks.forgets': '{disk} ({size} GiB, esquece tudo ao desligar)',
  'vm_snapshot.lacks.storage_class':
    '{disk} ({size} GiB, a classe de armazenamento não faz snapshots)',
  'vm_snapshot.lacks.left_out': '{disk} ({size} GiB, a plataforma o deixou de fora)',
  'vm_snapshot.in_use':
    'O snapshot de VM {name} está em uso: uma VM está sendo restaurada ou criada dele; aguarde até que termine.',
  'vm_snapshot.without_boot_disk':
    'O snapshot de VM {name} não contém o disco de inicialização da VM; nada pode ser criado dele.',
  'vm_snapshot.without_nics':
    'O snapshot de VM {name} não sabe que placas de rede a VM tinha; peça MAC e IP novos.',
  'vm_snapshot.secrets_in_tpm':
    'A VM do snapshot {name} guarda segredos no TPM, que cópia nenhuma tem; restaure a própria VM.',
  'vm_snapshot.iso_ejected':
    'O ISO do snapshot {name} já foi ejetado da VM {vm}; crie uma VM nova a partir do snapshot.',
  'vm_snapshot.copy_name_too_long':
    'A cópia do volume {former} se chamaria {name}, o que é longo demais; escolha um nome mais curto.',
  'vm_snapshot.volume_elsewhere':
    'O volume {volume} está no snapshot {name} e não está mais na VM {vm}; anexe-o primeiro.',
  'vm_snapshot.network_gone':
    'A rede {network}, em que a VM estava, não existe mais; peça MAC e IP novos e escolha outras redes.',
  'vm_snapshot.vm_is_on':
    'A VM {name} está ligada; desligue-a primeiro ou deixe que a restauração a desligue.',
  'vm_snapshot.of_other_vm': 'é de outra VM que não {vm}',
  'vm_snapshot.networks_kept':
    'deve ficar de fora onde MACs ou endereços são mantidos: as placas de rede são então as do snapshot',
  'vm_snapshot.no_address_kept':
    'deve ser novo: a VM só tinha o endereço da rede da plataforma, que é dado de novo a cada uma',
  'vm_snapshot.windows_identity':
    'deve manter nome de host, id da máquina e chaves do host: o próprio Windows os renova, com o sysprep',
  'vm_snapshot.cloud_init_unusable': 'tem um texto de cloud-init com erro: {problem}',
  'vm_snapshot.vm_deleted_early':
    'A VM foi excluída antes deste snapshot, por isso não há nada nele.',
  'vm_snapshot.not_in_time':
    'A plataforma não pôde fazer este snapshot a tempo; tente de novo ou faça-o com a VM desligada.',
  'vm_snapshot.restore_unsafe':
    'Não foi possível guardar em um snapshot como a VM está agora, por isso nada mudou; tente de novo ou peça sem isso.',
  'vm_snapshot.restore_removed':
    'A restauração foi removida por fora desta plataforma antes de terminar; peça-a de novo.',
  'vm_snapshot.restore_name_in_use':
    'Outra coisa na plataforma usa o nome desta restauração; fale com o operador.',
  'vm_snapshot.restore_failed':
    'A plataforma não pôde trazer os discos de volta; peça de novo com a VM desligada.',
}
