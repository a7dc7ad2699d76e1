import { type impact as english } from '../en/impact.ts'
import { type Translation } from '../catalogue.ts'

export const impact: Translation<typeof english> = {
  'impact.vm.running_state.running':
    'Ela está em execução: é desligada antes, e o que o sistema convidado não gravou em disco até lá é perdido.',
  'impact.vm.running_state':
    'O que o sistema convidado tem na memória e ainda não gravou em disco é perdido.',
  'impact.vm.root_disk': 'O disco de boot é apagado a cada desligamento, e some com a VM.',
  'impact.vm.root_disk.sized':
    'O disco de boot de {size} GiB é apagado com tudo o que contém; ninguém pode recuperá-lo.',
  'impact.vm.volume': 'O volume {name} é desanexado e continua, com tudo o que contém.',
  'impact.schedule': 'O agendamento {name} termina; os snapshots que ele fez continuam.',
  'impact.vm.vm_snapshot': {
    one: 'O snapshot dela continua: serve para criar novas VMs, mas esta não pode mais ser restaurada.',
    other:
      'Os {n} snapshots dela continuam: servem para criar novas VMs, mas esta não pode mais ser restaurada.',
  },
  'impact.vm.guest_settings':
    'As configurações de cloud-init são apagadas: usuários, chaves e senhas com que foi criada.',
  'impact.vm.address': 'O endereço {name} é devolvido; outra VM pode recebê-lo.',
  'impact.vm.name': 'O nome {name} fica livre para outra VM sua.',
  'impact.vm.template': 'O template {name}, de que foi feita, continua.',
  'impact.vm.ssh_keys': 'As chaves SSH cadastradas continuam.',
  'impact.record': 'O que foi feito continua nos registros de operações e de auditoria.',
  'impact.volume.content': 'Tudo o que há nos {size} GiB é apagado; ninguém pode recuperá-lo.',
  'impact.volume.name': 'O nome {name} fica livre para outro volume seu.',
  'impact.volume.volume_snapshot': {
    one: '1 snapshot dele continua, com o que foi feito dele; novos volumes podem ser criados a partir dele.',
    other:
      '{n} snapshots dele continuam, com o que foi feito deles; novos volumes podem ser criados a partir deles.',
  },
  'impact.volume.vm_snapshot': {
    one: '1 snapshot de VM que o contém serve para criar novas VMs, mas não pode mais ser restaurado.',
    other:
      '{n} snapshots de VM que o contêm servem para criar novas VMs, mas não podem mais ser restaurados.',
  },
}
