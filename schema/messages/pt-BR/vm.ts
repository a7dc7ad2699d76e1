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
  'vm.is.Migrating': 'está mudando de host',
  'vm.is.Restarting': 'está reiniciando',
  'vm.is.Stopping': 'está sendo desligada',
  'vm.is.Stopped': 'está desligada',
  'vm.is.Deleting': 'está sendo excluída',
  'vm.is.Error': 'está com um problema',
  'vm.is.Unknown': 'não responde no momento',
  'vm.is.Lost': 'foi removida por fora desta plataforma',
  'vm.is.Failed': 'não pôde ser implantada',
  'vm.remedy.nothing': 'não há nada a fazer',
  'vm.remedy.start': 'ligue-a',
  'vm.remedy.resume': 'retome-a',
  'vm.remedy.start_later': 'ligue-a quando tiver desligado',
  'vm.remedy.Pending': 'aguarde até que seja criada',
  'vm.remedy.Provisioning': 'aguarde até que os discos estejam prontos',
  'vm.remedy.Starting': 'aguarde até que esteja em execução',
  'vm.remedy.Running': 'desligue-a primeiro',
  'vm.remedy.Paused': 'retome-a primeiro',
  'vm.remedy.Migrating': 'aguarde até que chegue',
  'vm.remedy.Restarting': 'aguarde até que volte',
  'vm.remedy.Stopping': 'aguarde até que esteja desligada',
  'vm.remedy.Stopped': 'ligue-a primeiro',
  'vm.remedy.Deleting': 'não há mais o que fazer com ela',
  'vm.remedy.Error': 'resolva antes o que ela mostra',
  'vm.remedy.Unknown': 'aguarde até que volte a responder ou force o desligamento',
  'vm.remedy.Lost': 'exclua-a e implante-a de novo',
  'vm.remedy.Failed': 'repita a implantação ou exclua-a',
  'vm.busy.snapshot':
    'Um snapshot da VM {name} está sendo feito, por isso {refused}; aguarde até que fique pronto ou exclua-o.',
  'vm.busy.restore':
    'A VM {name} está voltando a um snapshot, por isso {refused}; aguarde até que termine.',
  'vm.protected': 'A VM {name} está protegida contra exclusão; desative antes a proteção.',
  'vm.without_iso': 'A VM {name} não tem ISO na bandeja; não há o que ejetar.',
  'vm.changing':
    'Uma alteração da VM {name} ainda não chegou ao cluster; aguarde um momento e repita a solicitação.',
  'vm.silent':
    'A instância em execução da VM {name} ainda não é conhecida; aguarde um momento e repita a solicitação.',
  'vm.iso_boot_not_persistent': 'deve ser persistente: o que é instalado de um ISO tem de ficar',
  'vm.image_required': 'é obrigatório onde nenhuma imagem é indicada',
  'vm.offering_withdrawn': 'cita {offering}, que não é mais oferecida; escolha outra',
  'vm.port_without_nic':
    'precisa de uma placa na rede do cluster, aonde a porta leva; deixe de fora podNetwork: false, ou este campo',
  'vm.log_boot': 'deve ser 0 para o mais novo, ou até -{most} para um anterior',
  'vm.logs_limited': 'Você já segue {most} logs de VMs, que é o máximo; feche um primeiro.',
  'vm.log_lost': 'A conexão com o log da VM caiu; siga o log de novo.',
  'vm.removed_outside':
    'A VM foi removida por fora desta plataforma; exclua-a aqui e implante-a de novo.',
  'vm.changed_meanwhile':
    'A VM desligou ou religou nesse meio-tempo; veja como ela está agora e peça de novo.',
  'vm.order_refused':
    'O cluster recusou iniciar, desligar, reiniciar, pausar ou retomar a VM; fale com o operador; o log do Berth tem o motivo.',
  'vm.make_refused':
    'O cluster recusou criar esta VM; fale com o operador; o log do Berth tem o motivo.',
  'vm.change_refused':
    'O cluster recusou esta alteração da VM, que mantém as configurações anteriores; fale com o operador; o log do Berth tem o motivo.',
  'vm.restore_refused':
    'O cluster recusou restaurar a VM; fale com o operador; o log do Berth tem o motivo.',
  'vm.name_in_use':
    'Outra coisa na plataforma já usa este nome; exclua a VM e implante-a com outro nome.',
  'vm.no_room':
    'A cota do namespace do tenant no cluster não comporta esta VM; escolha um tamanho menor, exclua VMs ou fale com o operador.',
  'vm.iso_missing':
    'O ISO do template não está lá; importe-o de novo ou fale com o operador se ele vem com a plataforma.',
  'vm.rules_refused':
    'O cluster recusou as regras destes grupos de segurança, e as anteriores ainda valem; fale com o operador; o log do Berth tem o motivo.',
  'vm.notice_problem': '{name} está com um problema',
  'vm.notice_state': '{name} está {state}',
  'vm.notice_message': 'A VM {name} está {state}.',
  'vm.notice.Error': 'fora do normal',
  'vm.notice.Starting': 'iniciando',
  'vm.notice.Running': 'em execução',
  'vm.notice.Stopping': 'desligando',
  'vm.notice.Stopped': 'desligada',
}
