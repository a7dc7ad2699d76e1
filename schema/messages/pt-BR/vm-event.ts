import { type vmEvent as english } from '../en/vm-event.ts'
import { type Translation } from '../catalogue.ts'

export const vmEvent: Translation<typeof english> = {
  'vm_event.pending': 'A VM aguarda ser criada.',
  'vm_event.provisioning': 'Os discos da VM estão sendo criados.',
  'vm_event.starting': 'A VM está ligando.',
  'vm_event.running': 'A VM está em execução.',
  'vm_event.paused': 'A VM está pausada.',
  'vm_event.migrating': 'A VM está migrando para outro host.',
  'vm_event.restarting': 'A VM está reiniciando.',
  'vm_event.stopping': 'A VM está desligando.',
  'vm_event.stopped': 'A VM está desligada.',
  'vm_event.deleting': 'A VM está sendo excluída.',
  'vm_event.error': 'A VM tem um problema.',
  'vm_event.unknown': 'A VM não responde.',
  'vm_event.lost': 'A VM não existe mais.',
  'vm_event.failed': 'A implantação da VM falhou.',
  'vm_event.crashed': 'A VM parou com um erro.',
  'vm_event.moved': 'A VM migrou para outro host.',
  'vm_event.noticed': 'A VM precisa de atenção.',
  'vm_event.restarted': 'A VM é iniciada de novo, embora ninguém tenha pedido.',
  'vm_event.shut_down': 'O sistema convidado se desligou por conta própria.',
  'vm_event.started_outside': 'A VM foi ligada por fora desta plataforma.',
  'vm_event.stopped_outside': 'A VM foi desligada por fora desta plataforma.',
  'vm_event.went_down': 'A VM caiu, embora ninguém tenha pedido.',
}
