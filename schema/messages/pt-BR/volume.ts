import { type volume as english } from '../en/volume.ts'
import { type Translation } from '../catalogue.ts'

export const volume: Translation<typeof english> = {
  'volume.name_taken': 'Já existe um volume com o nome {name}; escolha outro.',
  'volume.name_taken_meanwhile': 'Já existe um volume com este nome; escolha outro.',
  'volume.attached':
    'O volume {name} está anexado a uma VM, por isso não pode ser anexado a outra nem excluído; desanexe-o primeiro.',
  'volume.held': 'Uma VM ainda tem o volume {name}, por isso ele não pode ser anexado a outra nem excluído. Aguarde até que seja desanexado; se demorar, desligue a VM.',
  'volume.held_by_deleted_vm': 'A VM do volume {name} está sendo excluída e ainda tem o volume; aguarde até que a VM desapareça e repita a solicitação.',
  'volume.being_copied': 'O volume {name} não pode ser excluído, porque um snapshot dele está sendo feito ou excluído; aguarde até que isso termine.',
  'volume.not_attached': 'O volume {name} não está anexado a nenhuma VM; não há o que desanexar.',
  'volume.not_of_vm': 'O volume {name} não está anexado à VM {vm}; verifique os dois nomes.',
  'volume.deleting': 'O volume {name} está sendo excluído e não pode mais ser usado; use outro.',
  'volume.creating': 'O volume {name} ainda está sendo criado; aguarde até que fique pronto.',
  'volume.lost': 'O volume {name} foi removido por fora desta plataforma; desanexe-o se ele está anexado a uma VM, exclua-o e crie outro.',
  'volume.failed': 'Não foi possível criar o volume {name}; desanexe-o se ele está anexado a uma VM, exclua-o e crie outro.',
  'volume.unbound': 'O volume {name} não tem armazenamento antes que uma VM funcione com ele; anexe-o a uma VM, ligue-a e aguarde até que ela esteja em execução.',
  'volume.unbound_of_vm': 'O volume {name} não tem armazenamento até que a VM {vm} tenha funcionado uma vez com ele; ligue a VM ou desanexe o volume.',
  'volume.unbound_in_vm': 'O volume {name} não tem armazenamento antes que a VM {vm} o use, e a VM em execução ainda não o tem; aguarde um momento ou desanexe o volume.',
  'volume.failed_of_vm': 'Não foi possível criar o volume {name} da VM {vm}, por isso nenhum snapshot da VM pode ser feito; desanexe antes o volume.',
  'volume.lost_of_vm': 'O volume {name} da VM {vm} foi removido por fora desta plataforma, por isso nenhum snapshot da VM pode ser feito; desanexe antes o volume, a menos que queira restaurar a VM de um snapshot que o contém.',
  'volume.cannot_grow': 'O volume {name} é da classe de armazenamento {class}, cujos volumes não crescem; crie um volume maior, se possível em uma classe cujos volumes crescem, e copie os dados.',
  'volume.cannot_grow_without_class': 'O volume {name} não pode crescer, porque a classe de armazenamento {class} dele não existe mais no cluster; crie um volume maior em outra classe e copie os dados, ou fale com o operador.',
  'volume.no_snapshots': 'O volume {name} é da classe de armazenamento {class}, de cujos volumes não se fazem snapshots; copie os dados para um volume de outra classe de armazenamento ou fale com o operador.',
  'volume.no_snapshots_without_class': 'Nenhum snapshot do volume {name} pode ser feito, porque a classe de armazenamento {class} dele não existe mais no cluster; copie os dados para um volume de outra classe ou fale com o operador.',
  'volume.restoring': 'A VM do volume {name} está sendo restaurada de um snapshot, por isso o volume não pode ser alterado; aguarde até que termine.',
  'volume.most_attached': 'Uma VM aceita no máximo {most} volumes; desanexe um primeiro.',
  'volume.storage_untold': 'O cluster ainda não informou as classes de armazenamento; tente de novo em um momento.',
  'volume.no_storage_class': 'Esta instalação não tem classe de armazenamento, por isso volumes não podem ser criados; peça ao operador que adicione uma.',
  'volume.class_of_snapshot': 'deve ser {class}, a classe de armazenamento do snapshot; deixe-a de fora ou envie essa classe',
  'volume.size_of_snapshot': 'deve ser ao menos {least} GiB, o tamanho do snapshot',
  'volume.never_shrinks': 'deve ser ao menos {least} GiB, o tamanho que o volume tem ou ao qual está crescendo: ele não pode ser reduzido',
  'volume.is_root_disk': 'é o disco raiz da VM, que não pode ser desanexado; exclua a VM',
  'volume.is_iso': 'é o ISO de que a VM é instalada; ejete o ISO',
  'volume.is_cloud_init': 'é o disco de cloud-init, que cada início da VM lê; ele fica anexado',
  'volume.name_in_use': 'Outro objeto no cluster tem o nome interno deste volume. Desanexe o volume se estiver anexado, exclua-o e crie-o de novo. Para um volume de uma VM clonada, exclua essa VM e depois todos os seus volumes, e clone o snapshot de novo.',
  'volume.storage_refused': 'O armazenamento não pôde criar este volume; exclua-o e crie um em outra classe de armazenamento ou fale com o operador.',
  'volume.make_refused': 'O cluster recusou criar este volume. Fale com o operador, que acha o motivo no log do Berth; depois desanexe o volume se estiver anexado, exclua-o e crie-o de novo. Se for de uma VM clonada, exclua essa VM e depois todos os volumes dela, e clone o snapshot de novo.',
  'volume.growth_refused': 'O cluster recusou expandir este volume, e o tamanho não muda. Fale com o operador, que acha o motivo no log do Berth; depois repita a solicitação.',
  'volume.vm_gone':
    'A VM foi excluída ou não pôde ser criada, por isso o volume não está anexado; anexe-o a outra VM.',
  'volume.removed_outside':
    'O volume foi removido por fora desta plataforma; exclua-o aqui e crie outro.',
  'volume.class_unusable.summary': 'O tipo de armazenamento escolhido não comporta este volume.',
  'volume.class_unusable.nextStep': 'Exclua o volume e crie-o com outra classe de armazenamento.',
  'volume.failed.summary': 'Não foi possível criar o volume; nada dele existe.',
  'volume.failed.nextStep':
    'Veja o motivo na operação do volume, exclua o volume e crie-o de novo.',
  'volume.first_use.summary':
    'O volume ocupa espaço quando uma VM é executada com ele pela primeira vez, como quer a sua classe de armazenamento.',
  'volume.first_use.nextStep':
    'Quando precisar, anexe-o a uma VM e inicie a VM. Até lá ele não pode ser expandido, e não há do que fazer snapshot.',
  'volume.guest_lacks_it.summary': 'A VM ainda não tem o volume.',
  'volume.guest_lacks_it.nextStep':
    'Aguarde um momento. Se a VM ainda não tiver o volume, desanexe-o e anexe-o de novo com a VM desligada.',
  'volume.guest_holds_it.summary': 'A VM ainda está com o volume.',
  'volume.guest_holds_it.nextStep':
    'Desmonte o volume no convidado e aguarde um momento. Desligar a VM sempre o libera.',
  'volume.lost.summary': 'O volume foi removido por fora desta plataforma.',
  'volume.lost.nextStep':
    'Pergunte ao operador o que aconteceu. Exclua o volume aqui; um snapshot dele pode ser restaurado em um novo.',
  'volume.quota_exceeded.summary': 'Um limite do seu tenant retém o volume.',
  'volume.quota_exceeded.nextStep':
    'Exclua volumes de que não precisa ou peça ao operador um limite maior.',
  'volume.resize_waits.summary': 'O armazenamento ainda não expandiu o volume.',
  'volume.resize_waits.nextStep':
    'Aguarde. Se o volume não crescer, informe o nome dele ao operador.',
  'volume.storage_slow.summary': 'O armazenamento não tem espaço para o volume no momento.',
  'volume.storage_slow.nextStep':
    'Aguarde: o armazenamento tenta de novo automaticamente. Se o volume ainda não for criado, fale com o operador.',
}
