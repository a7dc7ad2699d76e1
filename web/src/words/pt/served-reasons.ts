const again = 'É tentado de novo automaticamente. Se continuar assim, fale com o operador.'
const removedVm = {
  cause: 'Ela existia e não existe mais, embora ninguém tenha pedido isso aqui.',
  nextStep:
    'Pergunte ao operador o que aconteceu. Se os discos se foram com ela, exclua a VM e implante-a de novo.',
}

/**
 * Why something is not as asked, by the server's codes: `vm.<code>.summary`. Where one code has
 * several causes the server alone knows which, so those stay as it says them.
 */
export const servedReasons = {
  'vm.crash_loop.summary': 'A VM para a cada vez que é ligada.',
  'vm.crash_loop.cause':
    'O sistema convidado, ou o programa que o executa, terminou com erro várias vezes seguidas.',
  'vm.crash_loop.nextStep': 'Leia o fim do log da VM, corrija o que ele aponta e ligue-a de novo.',
  'vm.deleted_outside.summary': 'Alguém está excluindo a VM por fora desta plataforma.',
  'vm.deleted_outside.cause': 'Isso não foi pedido aqui.',
  'vm.deleted_outside.nextStep':
    'Exclua a VM aqui também quando ela sumir, e pergunte ao operador quem a removeu.',
  'vm.disk_failed.summary': 'Não foi possível preencher um disco da VM.',
  'vm.disk_missing.summary': 'Falta um disco da VM.',
  'vm.disk_missing.cause': 'O volume por trás dele foi excluído ou nunca foi criado.',
  'vm.disk_missing.nextStep':
    'Desanexe o disco que falta e ligue a VM de novo; restaure o disco de um snapshot se precisar do que havia nele.',
  'vm.host_lost.summary': 'O host em que a VM está não responde.',
  'vm.host_lost.cause':
    'A conexão com o host caiu. A VM pode ainda estar em execução nele; não há como saber.',
  'vm.host_lost.nextStep':
    'Aguarde: a VM volta junto com o host, ou é ligada em outro se ele for dado como perdido.',
  'vm.image_unavailable.summary': 'Não foi possível obter a imagem da VM.',
  'vm.lost.summary': 'A VM foi removida por fora desta plataforma.',
  'vm.lost.cause': removedVm.cause,
  'vm.lost.nextStep': removedVm.nextStep,
  'vm.quota_exceeded.summary': 'Um limite do seu tenant retém a VM.',
  'vm.recovery_needed.summary': 'A migração de um disco da VM parou no meio.',
  'vm.recovery_needed.cause':
    'O disco estava a caminho de outro armazenamento quando a migração falhou.',
  'vm.recovery_needed.nextStep':
    'Deixe a VM como está e peça ao operador que termine ou desfaça a migração.',
  'vm.replaced.summary':
    'A VM foi removida por fora desta plataforma, e outra coisa tem o nome dela.',
  'vm.replaced.cause': removedVm.cause,
  'vm.replaced.nextStep': removedVm.nextStep,
  'vm.restart_needed.summary': 'Uma mudança vale a partir do próximo reinício.',
  'vm.restart_needed.cause': 'Foi alterado algo que uma VM em execução não pode assumir.',
  'vm.restart_needed.nextStep': 'Reinicie a VM quando for conveniente.',
  'vm.start_refused.summary': 'Não foi possível ligar a VM.',
  'vm.start_refused.cause': 'A plataforma não aceitou a VM como está descrita.',
  'vm.start_refused.nextStep':
    'Desfaça a última mudança da VM e ligue-a de novo. Se ela nunca foi alterada, informe o nome dela ao operador.',
  'vm.storage_full.summary': 'A VM está parada porque o armazenamento não aceita mais nada.',
  'vm.storage_full.cause':
    'Uma gravação em um dos discos falhou, em geral porque o armazenamento está cheio.',
  'vm.storage_full.nextStep': 'Peça ao operador que libere espaço e depois retome a VM.',
  'vm.unknown.summary': 'O estado da VM não é conhecido.',
  'vm.unknown.cause': 'O que a plataforma informa sobre ela não é compreendido.',
  'vm.unknown.nextStep': 'Aguarde um minuto. Se continuar assim, informe o nome da VM ao operador.',
  'vm.unschedulable.summary': 'Não há lugar para a VM no momento.',

  'schedule.paused.summary': 'Alguém pausou o agendamento; nenhum snapshot é feito.',
  'schedule.paused.nextStep': 'Retome-o quando quiser snapshots de novo.',

  'ssh.waiting':
    'A VM não tem IP no momento; a porta leva a ela assim que ela estiver em execução.',

  'volume.class_unusable.summary': 'O tipo de armazenamento escolhido não comporta este volume.',
  'volume.class_unusable.nextStep': 'Exclua o volume e crie-o com outra classe de armazenamento.',
  'volume.failed.summary': 'Não foi possível criar o volume; nada dele existe.',
  'volume.failed.nextStep': 'Veja o motivo na operação, exclua-o e crie-o de novo.',
  'volume.first_use.summary':
    'O volume ocupa espaço quando é anexado pela primeira vez, como quer a sua classe de armazenamento.',
  'volume.first_use.nextStep':
    'Nada: anexe-o quando precisar. Até lá ele não pode ser expandido, e não há do que fazer snapshot.',
  'volume.guest_holds_it.summary': 'A VM ainda está com o volume.',
  'volume.guest_holds_it.nextStep':
    'Desmonte-o no convidado e aguarde um momento. Desligar a VM sempre o libera.',
  'volume.guest_lacks_it.summary': 'A VM ainda não tem o volume.',
  'volume.guest_lacks_it.nextStep':
    'Aguarde um momento. Se continuar assim, desanexe-o e anexe-o de novo com a VM desligada.',
  'volume.lost.summary': 'O volume foi removido por fora desta plataforma.',
  'volume.lost.nextStep':
    'Pergunte ao operador o que aconteceu. Exclua o volume aqui; um snapshot dele pode ser restaurado em um novo.',
  'volume.quota_exceeded.summary': 'Um limite do seu tenant retém o volume.',
  'volume.quota_exceeded.nextStep':
    'Exclua volumes de que não precisa ou peça ao operador um limite maior.',
  'volume.resize_waits.summary': 'O armazenamento ainda não expandiu o volume.',
  'volume.resize_waits.nextStep':
    'Aguarde. Se continuar assim, informe o nome do volume ao operador.',
  'volume.storage_slow.summary': 'O armazenamento não tem espaço para o volume no momento.',
  'volume.storage_slow.nextStep': again,

  'snapshot.failed.summary': 'Não foi possível fazer o snapshot; nada dele existe.',
  'snapshot.failed.nextStep': 'Veja o motivo na operação, exclua-o e faça outro.',
  'snapshot.lost.summary': 'O snapshot foi removido por fora desta plataforma.',
  'snapshot.lost.nextStep': 'Pergunte ao operador o que aconteceu e exclua-o aqui.',
  'snapshot.retrying.summary': 'O armazenamento não fez o snapshot de imediato e tenta de novo.',
  'snapshot.retrying.nextStep': 'Aguarde alguns minutos. Se continuar assim, fale com o operador.',
  'snapshot.settings_only.summary':
    'O snapshot guarda só as configurações da VM e nada dos discos.',
  'snapshot.settings_only.nextStep':
    'Não conte com ele para dados. Para isso, use discos em uma classe de armazenamento que faz snapshots.',
  'snapshot.some_disks.summary': 'Alguns discos da VM não estão no snapshot.',
  'snapshot.some_disks.nextStep':
    'Veja quais na lista de discos e guarde o conteúdo deles de outra forma.',
  'snapshot.waits_for_stop.summary': 'O snapshot é feito assim que a VM estiver desligada.',
  'snapshot.waits_for_stop.nextStep': 'Nada: a VM está sendo desligada.',

  'fault.cluster_unavailable': 'A plataforma está indisponível no momento.',
  'fault.internal': 'Ocorreu um erro inesperado; ele foi registrado com o id da solicitação.',
  'fault.invalid_credentials': 'O nome de usuário ou a senha está errado.',
  'fault.overloaded': 'O Berth está ocupado demais no momento.',

  'remedy.addresses_exhausted': 'Exclua uma VM que está na rede ou escolha outra rede.',
  'remedy.already_exists': 'Escolha outro nome ou use o que já existe.',
  'remedy.cancelled': 'Comece de novo se ainda quiser.',
  'remedy.capacity': 'Tente um tamanho menor ou peça mais capacidade ao operador.',
  'remedy.cidr_exhausted': 'Peça um bloco menor ou crie outra VPC.',
  'remedy.cidr_overlap': 'Escolha um bloco que o plano mostra como livre.',
  'remedy.cluster_name_conflict': 'Escolha outro nome; este já é usado por outra coisa.',
  'remedy.cluster_unavailable': 'Aguarde um momento e tente de novo.',
  'remedy.conflict': 'Leia de novo e repita a mudança.',
  'remedy.expansion_not_supported': 'Use uma classe de armazenamento cujos volumes podem crescer.',
  'remedy.feature_disabled': 'Peça ao operador que o ative.',
  'remedy.forbidden': 'Peça a permissão a um administrador do tenant.',
  'remedy.idempotency_conflict': 'Envie uma nova Idempotency-Key com uma nova solicitação.',
  'remedy.import_failed': 'Corrija o que é citado e importe de novo.',
  'remedy.in_use': 'Remova antes o que o usa.',
  'remedy.internal': 'Tente de novo; se persistir, informe o id da solicitação.',
  'remedy.invalid_credentials': 'Verifique os dois e tente de novo.',
  'remedy.invalid_input': 'Corrija os campos citados.',
  'remedy.method_not_allowed': 'Use um dos métodos citados em Allow.',
  'remedy.not_acceptable': 'Peça application/json.',
  'remedy.not_found': 'Verifique o nome ou o id, e o tenant em que você atua.',
  'remedy.overloaded': 'Aguarde um momento e tente de novo.',
  'remedy.payload_too_large': 'Envie menos em uma solicitação.',
  'remedy.platform_error': 'Informe o id da solicitação ao operador.',
  'remedy.query_refused': 'Peça menos em uma consulta.',
  'remedy.quota_exceeded': 'Libere algo ou peça uma cota maior.',
  'remedy.read_only': 'Isto pertence à plataforma e não pode ser alterado aqui.',
  'remedy.snapshots_not_supported':
    'Faça um snapshot da VM ou use uma classe de armazenamento que faz snapshots.',
  'remedy.superseded': 'Um pedido mais novo substituiu este.',
  'remedy.template_not_ready': 'Aguarde o fim da importação ou escolha outro template.',
  'remedy.template_read_only': 'Crie um template próprio.',
  'remedy.tenant_deleting': 'Use outro tenant.',
  'remedy.tenant_forbidden': 'Escolha um tenant a que você pertence.',
  'remedy.tenant_not_ready': 'Aguarde até que o tenant esteja ativo.',
  'remedy.tenant_required': 'Escolha um tenant.',
  'remedy.timeout': 'Veja a operação e tente de novo.',
  'remedy.too_many_requests': 'Aguarde um momento e tente de novo.',
  'remedy.unauthenticated': 'Entre de novo.',
  'remedy.unsupported_media_type': 'Envie application/json.',
  'remedy.unsupported_version': 'Comece de novo.',
  'remedy.version_conflict': 'Leia de novo e repita a mudança.',
  'remedy.wrong_state': 'Aguarde o estado citado.',
}
