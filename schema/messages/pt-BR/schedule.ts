import { type schedule as english } from '../en/schedule.ts'
import { type Translation } from '../catalogue.ts'

export const schedule: Translation<typeof english> = {
  'schedule.name_taken': 'Já existe um agendamento com o nome {name}; escolha outro para o novo agendamento.',
  'schedule.name_taken_meanwhile': 'Já existe um agendamento com este nome; escolha outro.',
  'schedule.most':
    'O volume ou a VM já tem {most} agendamentos de snapshots, que é o máximo; exclua um primeiro.',
  'schedule.paused_already':
    'O agendamento de snapshots {name} já está pausado; não há nada a fazer.',
  'schedule.stopped_already':
    'O agendamento de snapshots {name} parou após falhas e não pode ser pausado; não há nada a fazer.',
  'schedule.active_already':
    'O agendamento de snapshots {name} já está ativo; não há nada a fazer.',
  'schedule.five_fields':
    'deve ter cinco campos: minuto, hora, dia do mês, mês, dia da semana, como 30 2 * * *',
  'schedule.field_range': 'tem "{part}" como {field}, que deve ser *, um número ou um intervalo crescente de {least} a {most}; cada um pode ter um passo como /5',
  'schedule.field_range_or_word': 'tem "{part}" como {field}, que deve ser *, um número de {least} a {most}, uma palavra como {word} ou um intervalo crescente deles; cada um pode ter um passo como /5',
  'schedule.weekday_range': 'tem "{part}" como {field}, que deve ser *, um número de {least} a {most}, uma palavra como {word} ou um intervalo crescente deles; cada um pode ter um passo como /5; domingo é 0 ou 7, e sun é 0',
  'schedule.field.minutes': 'minuto',
  'schedule.field.hours': 'hora',
  'schedule.field.days': 'dia do mês',
  'schedule.field.months': 'mês',
  'schedule.field.weekdays': 'dia da semana',
  'schedule.never_due': 'não cita nenhuma data nos próximos nove anos, como 30 de fevereiro; escolha outro dia ou mês',
  'schedule.unknown_time_zone': 'deve ser o nome de um fuso horário, como Europe/Lisbon ou UTC',
  'schedule.name_too_long':
    'deve ter no máximo {most} caracteres, pois os snapshots levam o nome dele e a hora',
  'schedule.paused.summary': 'Um usuário pausou o agendamento; nenhum snapshot é feito.',
  'schedule.paused.nextStep': 'Retome o agendamento quando quiser snapshots de novo.',
  'schedule.stopped.summary':
    'O agendamento parou, porque {most} execuções seguidas falharam. {why}',
  'schedule.stopped.ask_operator': 'Peça ao operador que corrija a causa e retome o agendamento.',
  'schedule.stopped.do_it': 'Corrija a causa informada e retome o agendamento.',
  'schedule.failing.summary': {
    one: 'A última execução falhou. {why}',
    other: 'As últimas {n} execuções falharam. {why}',
  },
  'schedule.failing.ask_operator': 'Peça ao operador que corrija a causa; depois de {most} falhas seguidas o agendamento para.',
  'schedule.failing.do_it': 'Corrija a causa informada; depois de {most} falhas seguidas o agendamento para.',
  'schedule.snapshot_failed': 'Não foi possível fazer o snapshot; faça um você mesmo para ver o motivo ou fale com o operador.',
}
