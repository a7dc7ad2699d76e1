import { type vm as english } from '../en/vm.ts'
import { type Translation } from '../catalogue.ts'

export const vm: Translation<typeof english> = {
  'vm.name_taken': 'Já existe uma VM com o nome {name}; escolha outro.',
  'vm.name_taken_meanwhile': 'Já existe uma VM com este nome; escolha outro.',
  'vm.not_now': 'A VM {name} {is}, por isso {refused}; {remedy}.',
  'vm.refused.start': 'não pode ser ligada',
  'vm.refused.stop': 'não pode ser desligada',
  'vm.refused.forceStop': 'não pode ser desligada à força',
  'vm.refused.restart': 'não pode ser reiniciada',
  'vm.refused.pause': 'não pode ser pausada',
  'vm.refused.resume': 'não pode ser retomada',
  'vm.refused.retry': 'a implantação não pode ser repetida',
  'vm.refused.delete': 'não pode ser excluída',
  'vm.refused.rename': 'não pode ser alterada',
  'vm.refused.resize': 'não pode ser redimensionada',
  'vm.refused.attachVolume': 'nenhum volume pode ser anexado',
  'vm.refused.detachVolume': 'nenhum volume pode ser desanexado',
  'vm.refused.revertDrift': 'sua divergência não pode ser revertida',
  'vm.refused.acceptDrift': 'sua divergência não pode ser aceita',
  'vm.refused.ejectIso': 'a ISO não pode ser ejetada',
  'vm.refused.attachNetwork': 'nenhuma rede pode ser anexada',
  'vm.refused.detachNetwork': 'nenhuma rede pode ser desanexada',
  'vm.refused.snapshot': 'nenhum snapshot dela pode ser feito',
  'vm.refused.restore': 'não pode ser restaurada',
  'vm.refused.openConsole': 'o console não pode ser aberto',
  'vm.is.Pending': 'ainda não foi criada',
  'vm.is.Provisioning': 'ainda está recebendo os discos',
  'vm.is.Starting': 'está sendo ligada',
  'vm.is.Running': 'está em execução',
  'vm.is.Paused': 'está pausada',
  'vm.is.Migrating': 'está migrando para outro host',
  'vm.is.Restarting': 'está reiniciando',
  'vm.is.Stopping': 'está sendo desligada',
  'vm.is.Stopped': 'está desligada',
  'vm.is.Deleting': 'está sendo excluída',
  'vm.is.Error': 'está com um problema',
  'vm.is.Unknown': 'não responde no momento',
  'vm.is.Lost': 'foi removida por fora desta plataforma',
  'vm.is.Failed': 'não pôde ser implantada',
  'vm.is.switched_on': 'foi ligada por outro cliente',
  'vm.is.switched_off': 'foi desligada por outro cliente',
  'vm.remedy.nothing': 'não há nada a fazer',
  'vm.remedy.start': 'ligue-a',
  'vm.remedy.resume': 'retome-a',
  'vm.remedy.start_later': 'ligue-a quando tiver desligado',
  'vm.remedy.drift': 'reverta ou aceite antes essa alteração',
  'vm.remedy.Pending': 'aguarde até que seja criada',
  'vm.remedy.Provisioning': 'aguarde até que os discos estejam prontos',
  'vm.remedy.Starting': 'aguarde até que esteja em execução',
  'vm.remedy.Running': 'desligue-a primeiro',
  'vm.remedy.Paused': 'retome-a primeiro',
  'vm.remedy.Migrating': 'aguarde até que a migração termine',
  'vm.remedy.Restarting': 'aguarde até que esteja em execução de novo',
  'vm.remedy.Stopping': 'aguarde até que esteja desligada',
  'vm.remedy.Stopped': 'ligue-a primeiro',
  'vm.remedy.Deleting': 'aguarde até que suma',
  'vm.remedy.Error': 'resolva antes o problema que a explicação dela indica',
  'vm.remedy.Unknown': 'aguarde até que volte a responder ou force o desligamento',
  'vm.remedy.Lost': 'exclua-a e implante-a de novo',
  'vm.remedy.Failed': 'repita a implantação ou exclua-a',
  'vm.busy.snapshot':
    'Um snapshot da VM {name} está sendo feito, por isso {refused}; aguarde até que fique pronto ou exclua-o.',
  'vm.busy.restore':
    'A VM {name} está sendo restaurada de um snapshot, por isso {refused}; aguarde até que termine.',
  'vm.protected': 'A VM {name} está protegida contra exclusão; desative antes a proteção.',
  'vm.without_drift':
    'O Berth não conhece nenhuma alteração da VM {name} por outro cliente; não há o que reverter ou aceitar.',
  'vm.drift_not_acceptable':
    'O Berth não pode aceitar estas alterações da VM {name}: {differences}. Reverta a divergência.',
  'vm.without_iso':
    'A VM {name} não tem ISO de instalação, ou ela já foi ejetada; se o sistema ainda a mostra, pare e inicie a VM.',
  'vm.changing':
    'Uma alteração da VM {name} ainda está sendo aplicada; aguarde até que a operação dela termine e repita a solicitação. Se essa operação espera pelo operador, fale com o operador.',
  'vm.change_unapplied':
    'A última alteração da VM {name} não chegou ao cluster. Leia o motivo na operação que falhou ou fale com o operador, e repita a solicitação quando a alteração estiver aplicada.',
  'vm.silent':
    'O Berth ainda não conhece a instância em execução da VM {name}; aguarde um momento e repita a solicitação.',
  'vm.iso_boot_not_persistent':
    'deve ser persistente: um sistema instalado de um ISO precisa de um disco persistente',
  'vm.image_required': 'é obrigatório quando image não é indicada',
  'vm.offering_withdrawn': 'cita {offering}, que não é mais oferecida; escolha outra',
  'vm.offering_withdrawn_of_vm':
    'cita {offering}, que não é mais oferecida; escolha outra, ou deixe o campo de fora para manter o tamanho atual',
  'vm.port_without_nic':
    'precisa de uma placa na rede do cluster, aonde a porta leva; deixe de fora podNetwork: false, ou este campo',
  'vm.log_boot':
    'deve ser 0 para o início mais novo, ou um número negativo até -{most} para um anterior',
  'vm.logs_limited': 'Você já segue {most} logs de VMs, que é o máximo; feche um primeiro.',
  'vm.log_lost': 'A conexão com o log da VM caiu; siga o log de novo.',
  'vm.removed_outside':
    'A VM foi removida por fora desta plataforma; exclua-a aqui e implante-a de novo.',
  'vm.changed_meanwhile':
    'A VM desligou ou reiniciou depois da solicitação; verifique o estado dela e repita a solicitação.',
  'vm.order_refused':
    'O cluster recusou desligar a VM à força, ou reiniciá-la, pausá-la ou retomá-la. Fale com o operador, que acha o motivo no log do Berth; depois repita a solicitação.',
  'vm.make_refused':
    'O cluster recusou criar esta VM. Fale com o operador, que acha o motivo no log do Berth; depois repita a implantação.',
  'vm.change_refused':
    'O cluster recusou esta alteração da VM, que mantém as configurações anteriores. Fale com o operador, que acha o motivo no log do Berth; depois repita a solicitação.',
  'vm.restore_refused':
    'O cluster recusou restaurar a VM. Fale com o operador, que acha o motivo no log do Berth; depois peça a restauração de novo.',
  'vm.name_in_use':
    'Outro objeto no cluster já tem este nome; exclua a VM e implante-a com outro nome.',
  'vm.no_room':
    'A cota do namespace do tenant no cluster não comporta esta VM. Exclua outras VMs ou volumes, ou fale com o operador, e repita a implantação; ou exclua esta VM e implante uma menor.',
  'vm.iso_missing':
    'O ISO do template não existe mais; importe-o de novo e repita a implantação. Se o template é da plataforma, peça ao operador que o importe.',
  'vm.rules_refused':
    'O cluster recusou as regras destes grupos de segurança, e as anteriores ainda valem. Fale com o operador, que acha o motivo no log do Berth; depois atribua os grupos de novo.',
  'vm.notice_problem': '{name} está com um problema',
  'vm.notice_state': '{name} está {state}',
  'vm.notice_message': 'A VM {name} está {state}.',
  'vm.notice.Error': 'fora do normal',
  'vm.notice.Starting': 'iniciando',
  'vm.notice.Running': 'em execução',
  'vm.notice.Stopping': 'desligando',
  'vm.notice.Stopped': 'desligada',
  'vm.registry_not_allowed':
    'A VM seria criada da imagem {image}, e o operador não permite discos de contêiner do registro dela; crie uma VM de outra imagem ou peça ao operador que permita o registro.',
}
