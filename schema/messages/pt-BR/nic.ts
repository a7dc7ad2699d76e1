import { type nic as english } from '../en/nic.ts'
import { type Translation } from '../catalogue.ts'

export const nic: Translation<typeof english> = {
  'nic.what.address_alone': 'o endereço {address}',
  'nic.network_held': 'A VM não pode ser anexada de novo à rede {network} enquanto a placa dela ali está sendo retirada; tente de novo em instantes. Se a placa ainda estiver sendo retirada e a VM estiver em execução, desligue ou reinicie antes a VM.',
  'nic.network_twice': 'A VM já tem uma placa nesta rede, não há o que anexar; se o estado dela é de espera, ela é anexada quando você liga a VM, ou a reinicia se estiver em execução.',
  'nic.not_in_network': 'A VM {vm} não tem placa na rede {network}, não há o que retirar; verifique o id da rede.',
  'nic.most_networks': 'Uma VM fica em no máximo {most} redes privadas; retire-a antes de uma e pare a VM se a retirada esperar por isso.',
  'nic.last':
    'Uma VM precisa de ao menos uma placa de rede; coloque-a em outra rede antes de retirar esta.',
  'nic.platform_network':
    'A placa na rede do cluster não pode ser anexada nem desanexada depois da criação da VM; crie outra VM com as placas de que precisa.',
  'nic.leaving': 'A placa já está sendo desanexada; ela some quando essa operação termina ou quando a VM for parada.',
  'nic.networks_repeated': 'deve citar cada rede uma vez: uma VM tem uma placa de rede nela',
  'nic.none': 'deve citar ao menos uma rede quando podNetwork é false e publicIp não é true, porque uma VM precisa de uma placa de rede',
  'nic.mac_meanwhile': 'O endereço MAC de uma placa nova já está em uso; repita a solicitação.',
  'nic.address_meanwhile': 'Outra VM acaba de receber este endereço; peça de novo.',
  'nic.taken_by_unknown': 'O clone não pode manter {what}, porque outra VM o tem ou o liberou recentemente; repita a solicitação sem manter {choice}.',
  'nic.taken_by': 'O clone não pode manter {what}, porque a VM {vm} o tem. Repita a solicitação sem manter {choice}; ou exclua antes essa VM e aguarde até que isso possa ser reutilizado.',
  'nic.resting': 'A VM {vm} liberou {what} recentemente, e isso ainda não pode ser reutilizado; aguarde e repita a solicitação mais tarde, ou repita-a sem manter {choice}.',
  'nic.choice.mac': 'o mac',
  'nic.choice.ip': 'o ip',
  'nic.choice.both': 'o mac e o ip',
  'nic.what.mac': 'o MAC {mac}',
  'nic.what.address': 'o endereço {address} da rede {network}',
  'nic.waits': 'A placa será anexada no próximo início da VM, porque {why}.',
  'nic.leaves': 'A placa será desanexada no próximo desligamento da VM, porque {why}.',
  'nic.because.unknown':
    'a plataforma ainda não tinha dito o que pode fazer com uma VM em execução',
  'nic.because.platform': 'esta plataforma não faz isso com uma VM em execução',
  'nic.because.one_host':
    'uma VM em execução recebe uma placa ao mudar para outro host, e só há um host',
  'nic.because.disks':
    'uma VM em execução recebe uma placa ao mudar para outro host, e um dos discos só pode estar em um host de cada vez',
  'nic.because.host':
    'uma VM em execução recebe uma placa ao mudar para outro host, e algo nela está preso ao host',
  'nic.because.network': 'a rede dá os endereços a uma VM quando ela é ligada',
  'nic.because.not_running': 'a VM não estava em execução normal',
  'nic.because.not_in_time': 'a mudança não terminou a tempo com a VM em execução',
  'nic.clearing':
    'O convidado já liberou a placa. O endereço dela fica reservado até a VM mudar para outro host ou parar.',
}
