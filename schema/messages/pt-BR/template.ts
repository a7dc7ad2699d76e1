import { type template as english } from '../en/template.ts'
import { type Translation } from '../catalogue.ts'

export const template: Translation<typeof english> = {
  'template.name_taken': 'Já existe um template com o nome {name}; escolha outro.',
  'template.name_taken_meanwhile': 'Já existe um template com este nome; escolha outro.',
  'template.of_platform':
    'O template {name} vem com a plataforma e não pode ser alterado nem excluído; crie um próprio.',
  'template.deleting':
    'O template {name} está sendo excluído e não pode mais ser alterado; use outro.',
  'template.deleting_choose': 'O template {name} está sendo excluído; escolha outro.',
  'template.imports_nothing': 'O template {name} não importa nada; não há o que repetir.',
  'template.imported': 'O template {name} já foi importado; não há o que repetir.',
  'template.importing':
    'O template {name} ainda está sendo importado, por isso a importação não pode ser repetida; aguarde ou cancele antes essa importação.',
  'template.importing_wait':
    'O template {name} ainda está sendo importado, por isso nenhuma VM pode ser implantada dele; aguarde até que fique pronto.',
  'template.import_failed':
    'Não foi possível importar o template {name}; repita a importação ou escolha outro. Se o template é da plataforma, peça ao operador que a repita.',
  'template.inactive':
    'O template {name} não está ativo, por isso nenhuma VM pode ser implantada dele; escolha outro ou ative este, se ele é do seu tenant.',
  'template.being_copied': {
    one: 'O template {name} está sendo copiado para uma VM, por isso não pode ser excluído; aguarde a implantação dela ou exclua-a antes.',
    other:
      'O template {name} está sendo copiado para {n} VMs, por isso não pode ser excluído; aguarde a implantação delas ou exclua-as antes.',
  },
  'template.imported_source':
    'não pode ser alterado em um template de ISO; crie outro template ou, se a importação falhou, repita-a com outro URL',
  'template.other_source':
    'deve ser {source}, como foi criado; crie outro template para outra origem',
  'template.container_url':
    'é um URL, mas deve ser a referência de um disco de contêiner. Só um ISO pode ser importado de um URL: crie para ele um template com o tipo de origem iso',
  'template.container_reference':
    'deve ser a referência de um disco de contêiner com no máximo {most} caracteres, como quay.io/containerdisks/fedora:40',
  'template.registry_not_listed':
    'deve estar em um registro permitido pelo operador ({registries}); use uma imagem de lá ou peça ao operador que permita este registro',
  'template.registry_not_allowed':
    'O template {name} usa a imagem {image}, e o operador não permite discos de contêiner do registro dela; escolha outro template ou peça ao operador que permita o registro.',
  'template.image_url':
    'deve ser um URL como https://images.example.com/disk.iso, sem espaços e só com caracteres ASCII; escreva um espaço como %20',
  'template.image_https': 'deve começar com https://',
  'template.image_http': 'deve começar com https:// ou http://',
  'template.image_credentials': 'não pode conter usuário ou senha; ofereça a imagem sem login',
  'template.image_fragment': 'não pode conter "#"; remova-o com tudo o que vem depois',
  'template.image_port': 'não deve citar uma porta, ou deve citar 80, 443, 8080 ou 8443',
  'template.host_without_name': 'deve indicar um host, sem ponto no fim',
  'template.host_not_listed':
    'deve estar em um host que o operador permite; use outro servidor ou peça ao operador que permita este',
  'template.host_not_public': 'deve estar em um host da internet pública',
  'template.host_inner_name': 'deve estar em um host da internet pública, com o nome completo',
  'template.import.unreachable':
    'O servidor da imagem não a entregou; verifique o URL e repita a importação, ou repita-a mais tarde.',
  'template.import.not_found': 'Não há imagem neste URL; repita a importação com um URL correto.',
  'template.import.tls':
    'A plataforma não confia no certificado do servidor da imagem; corrija o certificado e repita a importação, ou repita-a com um URL de outro servidor.',
  'template.import.not_an_image':
    'O arquivo neste URL não é uma imagem de disco utilizável; repita a importação com um URL correto.',
  'template.import.too_large':
    'A imagem é maior que o disco para ela; crie outro template com um tamanho de ISO maior (isoSizeGi, iso_size_gi em REST).',
  'template.import.no_space':
    'O cluster não tem um volume utilizável para esta imagem: o armazenamento está cheio, uma cota foi atingida ou a classe de armazenamento não serve. Crie o template com um tamanho menor ou outra classe de armazenamento, ou fale com o operador.',
  'template.import.timeout':
    'A importação não deu certo a tempo. O template fica pronto se o cluster ainda a concluir; senão repita-a ou use outro servidor.',
  'template.import.not_started': 'A importação não começou a tempo, e nada foi copiado; repita-a.',
  'template.import.importer_missing':
    'O cluster não pôde executar a importação; repita-a mais tarde ou fale com o operador.',
  'template.import.name_in_use':
    'Outro objeto no cluster tem o nome interno do volume para esta imagem; crie outro template ou fale com o operador.',
  'template.import.cancelled':
    'A importação foi cancelada, por um usuário ou porque o tenant está sendo excluído; repita-a, a menos que o tenant esteja sendo excluído.',
  'template.import.lost':
    'O volume com a imagem deste template foi removido por fora desta plataforma; repita a importação do template.',
}
