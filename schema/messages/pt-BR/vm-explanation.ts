import { type vmExplanation as english } from '../en/vm-explanation.ts'
import { type Translation } from '../catalogue.ts'

export const vmExplanation: Translation<typeof english> = {
  'vm.cause.deleted_outside': 'A VM está sendo excluída sem um pedido ao Berth.',
  'vm.cause.removed': 'A VM foi removida sem um pedido ao Berth.',
  'vm.cause.silent_host':
    'A conexão com o host caiu. A VM pode ainda estar em execução nele, mas o Berth não pode verificar.',
  'vm.cause.unknown': 'O Berth não compreende o estado da VM que o cluster informa.',
  'vm.cause.disk_missing': 'O volume por trás do disco foi excluído ou nunca foi criado.',
  'vm.cause.refused': 'O cluster não iniciou a VM com as configurações atuais.',
  'vm.cause.crashing':
    'O sistema convidado, ou o programa que o executa, terminou com erro várias vezes seguidas.',
  'vm.cause.storage_full':
    'Uma gravação em um dos discos falhou, em geral porque o armazenamento está cheio.',
  'vm.cause.half_moved':
    'O disco estava a caminho de outro armazenamento quando a migração falhou.',
  'vm.cause.pending': 'Foi alterado algo que uma VM em execução não pode assumir.',
  'vm.cause.no_memory': 'Nenhum host tem memória livre suficiente para a VM.',
  'vm.cause.no_cpu': 'Nenhum host tem CPU livre suficiente para a VM.',
  'vm.cause.no_scratch': 'Nenhum host tem espaço temporário livre suficiente para a VM.',
  'vm.cause.no_device': 'Nenhum host tem o dispositivo de que a VM precisa.',
  'vm.cause.hosts_full': 'Todos os hosts já têm tantas VMs quanto podem.',
  'vm.cause.storage_unready':
    'O armazenamento da VM não está pronto ou não é alcançado por nenhum host com espaço.',
  'vm.cause.no_match': 'Nenhum host atende ao que a VM exige.',
  'vm.cause.no_dedicated_cpu': 'Nenhum host atende ao que a VM exige, o que inclui CPUs dedicadas.',
  'vm.cause.hosts_closed':
    'Todos os hosts estão fechados para novas VMs, por exemplo para manutenção.',
  'vm.cause.no_host': 'Nenhum host pode receber a VM.',
  'vm.cause.quota_memory': 'A VM precisa de mais memória do que o limite do seu tenant deixa livre.',
  'vm.cause.quota_cpu': 'A VM precisa de mais CPUs do que o limite do seu tenant deixa livres.',
  'vm.cause.quota_storage': 'A VM precisa de mais armazenamento do que o limite do seu tenant deixa livre.',
  'vm.cause.quota_volumes': 'O seu tenant não pode ter mais volumes.',
  'vm.cause.quota_vms': 'O seu tenant não pode executar mais VMs.',
  'vm.cause.quota': 'O seu tenant usou tudo o que pode usar.',
  'vm.cause.image_certificate': 'O servidor da imagem não consegue provar quem é.',
  'vm.cause.image_server': 'O servidor da imagem não pode ser alcançado.',
  'vm.cause.image_forbidden': 'O servidor da imagem não a entrega sem permissão.',
  'vm.cause.image_missing': 'A referência ou URL da imagem não leva a nenhuma imagem.',
  'vm.cause.image':
    'A referência ou URL não leva a nenhuma imagem, ou o servidor da imagem nega o acesso.',
  'vm.cause.disk_small': 'O disco é menor do que o que deve ir para ele.',
  'vm.cause.disk_storage_full': 'O armazenamento da plataforma está cheio.',
  'vm.cause.disk_class':
    'O tipo de armazenamento do disco não existe aqui ou não comporta discos.',
  'vm.cause.disk_checksum': 'A imagem não é a esperada: a soma de verificação é outra.',
  'vm.cause.disk_no_room': 'Não há espaço para preencher o disco no momento.',
  'vm.cause.disk_not_image': 'O que há no endereço indicado não é uma imagem de disco.',
  'vm.cause.disk': 'O preenchimento do disco parou e é tentado de novo automaticamente.',
  'vm.next.deleted_outside':
    'Exclua a VM aqui também quando ela sumir, e pergunte ao operador quem a removeu.',
  'vm.next.deploy_refused':
    'Peça ao operador que corrija isso e depois repita a implantação. A VM mantém o que existe dela até que você a exclua.',
  'vm.next.deploy_failed':
    'Repita a implantação. A VM mantém o que existe dela até que você a exclua.',
  'vm.next.removed':
    'Pergunte ao operador o que aconteceu. Se os discos se foram com ela, exclua a VM e implante-a de novo.',
  'vm.next.silent_host':
    'Aguarde: a VM volta junto com o host, ou é ligada em outro se ele for dado como perdido.',
  'vm.next.unknown':
    'Aguarde um minuto. Se o estado continuar desconhecido, informe o nome da VM ao operador.',
  'vm.next.disk_missing': 'Desanexe o volume que falta ou ejete o ISO que falta e ligue a VM de novo. Um snapshot de um volume pode ser restaurado para um volume novo. Se falta o disco raiz, restaure a VM de um snapshot, ou exclua-a e implante-a de novo.',
  'vm.next.refused':
    'Desfaça a última mudança da VM e ligue-a de novo. Se ela nunca foi alterada, informe o nome dela ao operador.',
  'vm.next.crashing': 'Leia o fim do log da VM, corrija o que ele aponta e ligue-a de novo.',
  'vm.next.storage_full': 'Peça ao operador que libere espaço e depois retome a VM.',
  'vm.next.half_moved':
    'Deixe a VM como está e peça ao operador que termine ou desfaça a migração.',
  'vm.next.pending': 'Reinicie a VM quando for conveniente.',
  'vm.next.smaller':
    'Escolha um tamanho menor, desligue outras VMs ou peça mais espaço ao operador.',
  'vm.next.other_offering': 'Fale com o operador ou escolha outra oferta de serviço.',
  'vm.next.shared_cpu':
    'Mude a VM para um tamanho sem CPUs dedicadas, ou peça ao operador um host com gerenciador de CPU estático.',
  'vm.next.tell_operator': 'Aguarde alguns minutos. Se nada mudar, avise o operador.',
  'vm.next.until_opened': 'Aguarde até que o operador abra hosts de novo; a VM então liga sozinha.',
  'vm.next.until_room': 'Aguarde alguns minutos: a VM liga sozinha assim que houver espaço.',
  'vm.next.free_quota':
    'Exclua ou desligue o que não precisa, ou peça ao operador um limite maior.',
  'vm.next.other_template':
    'Exclua a VM e implante-a de outro template, ou deste depois que a imagem for corrigida.',
  'vm.next.retried_address':
    'Aguarde alguns minutos: o download é repetido automaticamente. Se ainda falhar, corrija a imagem no template, exclua a VM e implante-a de novo.',
  'vm.next.retried_image':
    'O download é repetido automaticamente. Verifique a imagem no template; depois de uma correção, exclua a VM e implante-a de novo.',
  'vm.next.larger_disk': 'Exclua a VM e implante-a de novo com um disco maior.',
  'vm.next.make_room':
    'Peça ao operador que libere espaço; a importação é então repetida automaticamente.',
  'vm.next.other_storage':
    'Exclua a VM e implante-a de novo a partir de um modelo com outro tipo de armazenamento. Se o modelo não indicar nenhum, peça ao operador que verifique o tipo padrão.',
  'vm.next.check_image':
    'Aguarde alguns minutos. Se a importação ainda falhar, verifique a imagem do template.',
  'vm.crash_loop.summary': 'A VM para a cada vez que é ligada.',
  'vm.deleted_outside.summary': 'Alguém está excluindo a VM por fora desta plataforma.',
  'vm.cause.changed_outside': 'Outro cliente alterou a VM no cluster: {differences}.',
  'vm.next.changed_outside':
    'Reverta a alteração ou aceite-a. O próximo início, parada ou redimensionamento também reverte energia e tamanho.',
  'vm.next.changed_outside_revert':
    'Reverta a alteração. Só é possível aceitar energia, vCPUs e memória.',
  'vm.changed_outside.summary': 'A VM foi alterada fora do Berth.',
  'vm.drift.on': 'está ligada',
  'vm.drift.off': 'está desligada',
  'vm.drift.cpu': '{found} vCPUs em vez de {desired}',
  'vm.drift.memory': '{found} MiB de memória em vez de {desired}',
  'vm.drift.other_power': 'outras configurações de energia',
  'vm.drift.other_cpu': 'outras configurações de CPU',
  'vm.drift.other_memory': 'outras configurações de memória',
  'vm.drift.other_disks': 'outros discos',
  'vm.drift.other_nics': 'outras NICs',
  'vm.drift.other_settings': 'outras configurações',
  'vm.deploy_failed.summary': 'A VM não pôde ser implantada.',
  'vm.disk_failed.summary': 'Não foi possível preencher um disco da VM.',
  'vm.disk_missing.summary': 'Falta um disco da VM.',
  'vm.host_lost.summary': 'O host em que a VM está não responde.',
  'vm.image_unavailable.summary': 'Não foi possível obter a imagem da VM.',
  'vm.lost.summary': 'A VM foi removida por fora desta plataforma.',
  'vm.platform_incomplete.summary': 'A plataforma não tem o que a VM precisa.',
  'vm.quota_exceeded.summary': 'Um limite do seu tenant retém a VM.',
  'vm.recovery_needed.summary': 'A migração de um disco da VM parou no meio.',
  'vm.replaced.summary':
    'A VM foi removida por fora desta plataforma, e outra coisa tem o nome dela.',
  'vm.restart_needed.summary': 'Uma mudança vale a partir do próximo reinício.',
  'vm.start_refused.summary': 'Não foi possível ligar a VM.',
  'vm.storage_full.summary': 'A VM está parada porque o armazenamento não aceita mais nada.',
  'vm.unknown.summary': 'O estado da VM não é conhecido.',
  'vm.unschedulable.summary': 'Não há lugar para a VM no momento.',
}
