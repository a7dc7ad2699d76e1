import { type vpc as english } from '../en/vpc.ts'
import { type Translation } from '../catalogue.ts'

export const vpc: Translation<typeof english> = {
  'vpc.name_taken': 'Já existe uma VPC com o nome {name}; escolha outro.',
  'vpc.name_taken_meanwhile': 'Já existe uma VPC com este nome; escolha outro.',
  'vpc.overlap_meanwhile': 'Outra VPC do tenant acaba de receber parte destes endereços; repita a solicitação, com outro bloco se você escolheu este.',
  'vpc.of_tenant': 'A VPC {name} é a primeira VPC do tenant, por isso não pode ser excluída sozinha; ela é excluída com o tenant.',
  'vpc.used_by': 'A VPC {name} não pode ser excluída, porque VMs a usam: {vms}. Retire-as das redes dela ou exclua-as primeiro; se isso já está em curso, aguarde até que termine ou desligue a VM.',
  'vpc.has_networks': 'A VPC {name} não pode ser excluída, porque tem redes: {networks}; exclua-as primeiro e aguarde até que sumam, ou exclua-as junto com ela.',
  'vpc.deleting': 'A VPC {name} está sendo excluída e não pode mais ser alterada; use outra.',
  'vpc.late':
    'A VPC não ficou pronta a tempo. O Berth continua tentando; se ela não ficar ativa, fale com o operador.',
  'vpc.example': 'deve ser uma rede IPv4 como 10.1.0.0/16',
  'vpc.not_private': 'deve estar dentro de 10.0.0.0/8, 172.16.0.0/12 ou 192.168.0.0/16',
  'vpc.too_small': 'é pequeno demais: o número depois da barra deve ser {prefix} ou menos, como em 10.1.0.0/16',
  'vpc.name_in_use': 'Outro objeto no cluster tem o nome interno desta VPC; crie outra VPC ou fale com o operador.',
  'vpc.refused': 'O cluster recusou criar o namespace desta VPC. Fale com o operador, que acha o motivo no log do Berth. O Berth continua tentando, e a VPC então fica ativa.',
}
