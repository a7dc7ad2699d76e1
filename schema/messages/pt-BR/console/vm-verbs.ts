/** The power verbs of a VM, in the menu, in the palette and in announcements. */
export const vmVerbs = {
  'Pause {name}': 'Pausar {name}',
  'Restart {name}': 'Reiniciar {name}',
  'Resume {name}': 'Retomar {name}',
  'Retry deploy of {name}': 'Repetir implantação de {name}',
  'Retry deploy': 'Repetir implantação',
  'Start {name}': 'Ligar {name}',
  'Stop by force {name}': 'Forçar desligamento de {name}',
  'Stop by force': 'Forçar desligamento',
  'Stop {name}': 'Desligar {name}',
  'boot power on': 'iniciar energia',
  'force kill': 'forçar matar',
  'shut down power off halt': 'parar energia desliga',
  '{name} goes on.': '{name} foi retomada.',
  '{name} is being deployed again.': '{name} está sendo implantada de novo.',
  '{name} is being paused.': '{name} está sendo pausada.',
  '{name} is being switched off.': '{name} está tendo a energia cortada.',
  '{name} is restarting.': '{name} está reiniciando.',
  '{name} is shutting down.': '{name} está desligando.',
  '{name} is starting.': '{name} está ligando.',
  Pause: 'Pausar',
  Restart: 'Reiniciar',
  Resume: 'Retomar',
  Start: 'Ligar',
  Stop: 'Desligar',
  'repeat failed': 'repetir falhou',
  reboot: 'reboot',
  unpause: 'despausar continuar',
}

/** Their operations, by code. */
export const vmVerbCodes = {
  'operation.pause_vm': 'Pausar VM',
  'operation.restart_vm': 'Reiniciar VM',
  'operation.resume_vm': 'Retomar VM',
  'operation.start_vm': 'Ligar VM',
  'operation.stop_vm': 'Desligar VM',
}
