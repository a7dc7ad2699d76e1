import { type securityGroup as english } from '../en/security-group.ts'
import { type Translation } from '../catalogue.ts'

export const securityGroup: Translation<typeof english> = {
  'security_group.name_taken': 'Já existe um grupo de segurança com o nome {name}; escolha outro.',
  'security_group.name_taken_meanwhile':
    'Já existe um grupo de segurança com este nome; escolha outro.',
  'security_group.most':
    'Um tenant pode ter no máximo {most} grupos de segurança; exclua um que não é mais usado.',
  'security_group.default_kept':
    'O grupo de segurança padrão não pode ser excluído; as regras dele podem ser alteradas.',
  'security_group.default_named':
    'O grupo de segurança padrão não pode ser renomeado; as regras dele podem ser alteradas.',
  'security_group.used_by_vms': {
    one: 'O grupo de segurança {name} não pode ser excluído, porque a VM {vms} o usa. Dê antes outro grupo a ela; se ela está sendo excluída, aguarde que termine.',
    other:
      'O grupo de segurança {name} não pode ser excluído, porque as VMs {vms} o usam. Dê antes outros grupos a elas; se estão sendo excluídas, aguarde que termine.',
  },
  'security_group.named_by_groups': {
    one: 'O grupo de segurança {name} não pode ser excluído, porque regras do grupo {groups} o citam; altere antes essas regras.',
    other:
      'O grupo de segurança {name} não pode ser excluído, porque regras dos grupos {groups} o citam; altere antes essas regras.',
  },
  'security_group.refused':
    'O cluster recusou as regras para {n} das VMs do grupo, e as regras anteriores delas ainda valem. Fale com o operador, que acha o motivo no log do Berth; depois altere as regras de novo.',
  'security_group.ports_protocol':
    'não pode ser indicado com o protocolo all; deixe de fora todas as portas da regra ou indique outro protocolo',
  'security_group.port_order': 'não pode ser menor que portFrom',
  'security_group.one_peer': 'deve indicar um cidr ou um peerGroupId; envie exatamente um deles',
  'security_group.cidr': 'deve ser um intervalo de endereços, como 203.0.113.0/24 ou 2001:db8::/32',
  'security_group.unsure':
    'A plataforma foi avisada, mas não se sabe se algo filtra em uma rede deste tipo: não conte com isso.',
  'security_group.unfiltered.private':
    'A plataforma filtra só na própria rede: em uma rede privada toda VM alcança todas as outras, digam o que disserem as regras.',
  'security_group.unfiltered.public':
    'A plataforma filtra só na própria rede: quem alcança o endereço público alcança a VM, digam o que disserem as regras.',
  'security_group.closed_range':
    'Estes endereços são do cluster ou de outros tenants, e as VMs não os alcançam pela rede do cluster. Para permitir tráfego às VMs do tenant, indique o grupo de segurança delas em vez de um intervalo.',
  'security_group.no_icmp':
    'A rede de pods filtra só por portas TCP e UDP, por isso ICMP fica fechado nela. Uma regra para todos os protocolos com a mesma origem ou destino o deixa passar, com todo o resto.',
}
