import { type vmSnapshot as english } from '../en/vm-snapshot.ts'
import { type Translation } from '../catalogue.ts'

export const vmSnapshot: Translation<typeof english> = {
  'vm_snapshot.name_taken': 'Já existe um snapshot de VM com o nome {name}; escolha outro.',
  'vm_snapshot.name_taken_meanwhile': 'Já existe um snapshot de VM com este nome; escolha outro.',
  'vm_snapshot.lacks_disks': 'Um snapshot da VM {vm} ficaria sem {disks}. Para aceitar isso, indique acceptMissing na solicitação ou no agendamento que faz o snapshot.',
  'vm_snapshot.lacks_all_disks': 'Um snapshot da VM {vm} conteria só as configurações e ficaria sem {disks}. Para aceitar isso, indique acceptMissing na solicitação ou no agendamento que faz o snapshot.',
  'vm_snapshot.lacks.forgets': '{disk} ({size} GiB, efêmero)',
  'vm_snapshot.lacks.storage_class': '{disk} ({size} GiB, a classe de armazenamento dele não oferece snapshots aqui)',
  'vm_snapshot.lacks.left_out': '{disk} ({size} GiB, o cluster o deixou de fora)',
  'vm_snapshot.in_use': 'O snapshot de VM {name} não pode ser excluído, porque a restauração ou o clone de uma VM ainda precisa dele; aguarde até que termine.',
  'vm_snapshot.without_boot_disk': 'O snapshot de VM {name} não contém o disco de inicialização da VM, por isso não pode ser clonado. Use um que o contenha ou crie uma VM de um template.',
  'vm_snapshot.without_nics': 'O snapshot de VM {name} não contém as placas de rede da VM; repita a solicitação sem manter o mac e o ip.',
  'vm_snapshot.secrets_in_tpm': 'A VM do snapshot {name} tem um TPM que pode guardar segredos, e um clone não os recebe. O snapshot não pode ser clonado; se a VM ainda existe, restaure-a.',
  'vm_snapshot.iso_ejected': 'O ISO do snapshot {name} já foi ejetado da VM {vm}, por isso a VM não pode ser restaurada. Use um snapshot sem o ISO ou clone este. Um clone precisa do disco raiz no snapshot. Isso não é possível com segredos no TPM nem, exceto no Windows, com user data que não começa com #cloud-config.',
  'vm_snapshot.copy_name_too_long':
    'A cópia do volume {former} se chamaria {name}, o que é longo demais; escolha um nome mais curto para a VM.',
  'vm_snapshot.copy_name_always_too_long': 'A cópia do volume {former} recebe o nome da nova VM antes do seu, o que fica longo demais com qualquer nome de VM. Renomeie o volume, tire um novo snapshot da VM dele e clone esse.',
  'vm_snapshot.copy_name_taken': 'A cópia do volume {former} se chamaria {name}, e já existe um volume com este nome; escolha outro nome para a VM.',
  'vm_snapshot.volume_elsewhere': 'O volume {volume} está no snapshot {name}, mas não está mais na VM {vm}. Anexe-o antes, se ele ainda existe; senão use um snapshot sem ele ou clone este. Um clone precisa do disco raiz no snapshot, a menos que esse disco seja efêmero. Isso não é possível com segredos no TPM nem, exceto no Windows, com user data que não começa com #cloud-config.',
  'vm_snapshot.network_gone': 'A rede {network} do snapshot não existe mais; repita a solicitação sem manter o mac e o ip e escolha outras redes.',
  'vm_snapshot.no_safety_snapshot': '{problem} Ou peça a restauração sem um snapshot de segurança.',
  'vm_snapshot.vm_is_on':
    'A VM {name} não está desligada; desligue-a primeiro ou peça a restauração com stop: true.',
  'vm_snapshot.of_other_vm': 'é um snapshot de outra VM, talvez de uma excluída com o mesmo nome; escolha um snapshot da VM {vm} atual ou clone este',
  'vm_snapshot.networks_kept': 'deve ficar de fora quando o mac ou o ip é mantido: as placas de rede são então as do snapshot',
  'vm_snapshot.no_address_kept': 'não pode ser mantido: a VM só tinha um endereço da rede do cluster, que dá um novo a cada VM; repita a solicitação sem manter o ip',
  'vm_snapshot.windows_identity': 'deve manter o nome de host, o id da máquina e as chaves do host: o próprio Windows os renova, com o sysprep',
  'vm_snapshot.cloud_init_unusable': 'não pode ser clonado, porque os dados de cloud-init da VM têm um problema ({problem}); crie uma VM nova de um template, ou restaure a VM do snapshot se ela ainda existe',
  'vm_snapshot.vm_deleted_early':
    'A VM foi excluída antes deste snapshot ser feito, por isso ele não tem conteúdo; exclua o snapshot.',
  'vm_snapshot.not_in_time':
    'O cluster desistiu deste snapshot, em geral porque não ficou pronto a tempo; tente de novo ou faça-o com a VM desligada.',
  'vm_snapshot.restore_unsafe': 'O snapshot de segurança do estado atual não pôde ser feito, por isso nenhum disco foi restaurado; peça a restauração de novo, se aceitar isso sem um snapshot de segurança.',
  'vm_snapshot.restore_removed':
    'A restauração foi removida por fora desta plataforma antes de terminar; peça-a de novo.',
  'vm_snapshot.restore_name_in_use': 'Outro objeto no cluster tem o nome interno desta restauração; peça ao operador que o remova e depois peça a restauração de novo.',
  'vm_snapshot.restore_failed': 'O cluster não pôde restaurar os discos; peça a restauração de novo com a VM desligada.',
}
