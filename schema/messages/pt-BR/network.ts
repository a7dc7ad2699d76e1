import { type network as english } from '../en/network.ts'
import { type Translation } from '../catalogue.ts'

export const network: Translation<typeof english> = {
  'network.name_taken': 'A VPC já tem uma rede com o nome {name}, talvez com outras maiúsculas e minúsculas; escolha outro.',
  'network.name_taken_in': 'A VPC {vpc} já tem uma rede com o nome {name}, talvez com outras maiúsculas e minúsculas; escolha outro para a nova rede.',
  'network.name_taken_meanwhile': 'Uma rede desta VPC já tem este nome; escolha outro.',
  'network.overlap_meanwhile': 'Outra rede da VPC acaba de receber parte destes endereços; repita a solicitação, com outro bloco se você escolheu este.',
  'network.of_vpc':
    'A rede {name} é a primeira da sua VPC e só é excluída com ela; a primeira VPC de um tenant só é excluída com o tenant.',
  'network.used_by': 'A rede {name} não pode ser excluída, porque VMs a usam: {vms}. Retire-as dela ou exclua-as primeiro; se isso já está em curso, aguarde até que termine ou desligue a VM.',
  'network.deleting': 'A rede {name} está sendo excluída e não pode mais ser alterada; use outra.',
  'network.deleting_choose': 'A rede {name} está sendo excluída; escolha outra.',
  'network.deleting_of_clone': 'A rede {name} do snapshot está sendo excluída; repita a solicitação sem manter o mac e o ip e escolha outras redes.',
  'network.not_ready': 'A rede {name} não pode ser usada: {reason} Escolha outra rede.',
  'network.not_ready_of_clone': 'A rede {name} do snapshot não pode ser usada: {reason} Repita a solicitação sem manter o mac e o ip e escolha outras redes.',
  'network.address_gone': 'O clone não pode manter {address}, porque a rede {name} não o dá mais a VMs; repita a solicitação sem manter o IP.',
  'network.addresses_exhausted': 'A rede {name} não tem endereço livre; retire ou exclua uma VM que está nela ou escolha outra rede. Quanto à rede pública, também pode falar com o operador.',
  'network.addresses_rest': 'A rede {name} não tem endereço livre; retire ou exclua uma VM que está nela ou escolha outra rede. Quanto à rede pública, também pode falar com o operador. Um endereço liberado pode ser reutilizado depois de {minutes} min.',
  'network.overlaps_guests': 'A rede {name} se sobrepõe a {block}, que cada VM na rede do cluster usa dentro do convidado. Escolha outra rede ou crie uma VM sem placa na rede do cluster.',
  'network.late':
    'A rede não ficou pronta a tempo. O Berth continua tentando; se ela não ficar ativa, fale com o operador.',
  'network.vpc_deleted':
    'A VPC foi excluída, e com ela esta rede antes de ficar pronta; crie a rede em outra VPC.',
  'network.name_in_use': 'Outro objeto no cluster tem o nome interno desta rede; crie outra rede ou fale com o operador.',
  'network.segments_exhausted': 'Todos os segmentos para redes privadas estão em uso; exclua uma rede de que não precisa mais, ou peça mais tags de VLAN ao operador, e crie a rede de novo.',
  'network.refused': 'O cluster recusou criar esta rede. Fale com o operador, que acha o motivo no log do Berth. O Berth continua tentando, e a rede então fica ativa.',
  'network.change_refused': 'O cluster recusou restaurar as configurações desta rede. Fale com o operador, que encontra o motivo no log do Berth. O Berth continua tentando.',
  'network.example': 'deve ser uma rede IPv4 como 10.1.2.0/24',
  'network.outside_vpc': 'deve ser uma rede dentro de {cidr}, os endereços da VPC',
  'network.too_small': 'é pequena demais, porque caberia no máximo uma VM: o número depois da barra deve ser {prefix} ou menos, como em 10.1.2.0/24',
  'network.prefix_range': 'deve ir de {least}, que é a VPC inteira, a {most}',
  'network.prefix_misfit': 'difere do prefixo em cidr; deixe um dos dois de fora',
  'network.driver_lacking': 'Redes privadas não estão disponíveis aqui: o operador configurou o driver {driver}, mas {reason}. Fale com o operador.',
  'network.drivers_lacking': 'Redes privadas não estão disponíveis aqui: {reason}; fale com o operador.',
  'network.no_public':
    'A plataforma não tem rede pública, por isso VMs não podem ter endereços públicos; use a rede do cluster ou redes privadas.',
  'network.no_public_of_clone': 'A plataforma não tem mais a rede pública em que a VM do snapshot tinha uma placa; repita a solicitação sem manter o mac e o ip.',
  'network.no_public_to_attach': 'A plataforma não tem rede pública, por isso a VM não pode ter um endereço público; anexe-a a uma rede privada.',
  'network.most_blocks': '{most} ou mais blocos de endereços já estão ocupados, por isso não cabe mais nenhum; exclua uma VPC antes de criar outra, ou uma rede da VPC antes de criar outra nela.',
  'network.overlap': '{block} se sobrepõe a {other}, {whose}; escolha outro bloco.',
  'network.overlap_field': 'se sobrepõe a {other}; escolha outro bloco',
  'network.private_ranges_exhausted': 'Nenhum /{prefix} está livre nos intervalos privados; peça um bloco menor com prefix, se houver, ou exclua antes uma VPC.',
  'network.default_vpc_exhausted':
    'Nenhum /{prefix} está livre para a primeira VPC do tenant, porque o cluster e a rede pública usam os intervalos privados; peça ao operador que libere um.',
  'network.vpc_exhausted': 'Nenhum /{prefix} está livre na VPC {vpc}; peça um bloco menor com prefix, se houver, exclua uma das redes dela ou use outra VPC.',
  'network.taken': '{whose} ({cidr})',
  'network.taker.vpc': 'em uso pela VPC {name}',
  'network.taker.network': 'em uso pela rede {name}',
  'network.taker.public': 'parte da rede pública',
  'network.taker.pods': 'em uso pelo cluster para os pods',
  'network.taker.services': 'em uso pelo cluster para os serviços',
  'network.taker.nodes': 'em uso pelo cluster para os nós',
  'network.taker.guests': 'em uso dentro de cada VM para a rede do cluster',
  'network.uplink_reaches': {
    one: '{hosts} é alcançado por {uplink}, e uma bridge sobre essa interface isolaria o cluster',
    other:
      '{hosts} são alcançados por {uplink}, e uma bridge sobre essa interface isolaria o cluster',
  },
  'network.uplink_refused': '{why}. O operador deve escolher outro uplink.',
  'network.every_host': 'todos os hosts',
  'network.bridge_failed': 'A bridge {bridge} não pôde ser criada sobre {uplink} em {hosts}; peça ao operador que verifique se todos têm essa interface.',
  'network.bridge_coming': 'A bridge {bridge} está sendo criada sobre {uplink} em todos os hosts.',
  'network.bridge_missing':
    'A bridge {bridge} está sendo criada sobre {uplink} em todos os hosts. Ainda sem ela: {hosts}.',
  'network.hosts_silent': 'Os nós ainda não informaram se a bridge da rede pública existe.',
  'list.and_more': '{some} e mais {rest}',
}
