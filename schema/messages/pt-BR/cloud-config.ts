import { type cloudConfig as english } from '../en/cloud-config.ts'
import { type Translation } from '../catalogue.ts'

export const cloudConfig: Translation<typeof english> = {
  'cloud_config.header_needed': 'deve começar com #cloud-config para receber chaves SSH ou uma senha, também quando vem do template; altere-o ou deixe de fora chaves e senha',
  'cloud_config.header_missing': 'deve começar com #cloud-config, porque o cloud-init ignora outro texto',
  'cloud_config.unknown_format':
    'deve começar com #cloud-config, ou com #! se for um script, porque o cloud-init ignora outro texto',
  'cloud_config.no_identity': 'não começa com #cloud-config, por isso o Berth não pode acrescentar a ele o nome de host e a identidade do clone',
  'cloud_config.not_yaml': 'não é YAML válido: {problem}',
  'cloud_config.several_documents': 'tem mais de um documento YAML; remova as linhas "---" entre eles e deixe um só',
  'cloud_config.no_settings': 'deve ter ajustes como "package_update: true" sob #cloud-config',
  'cloud_config.key_twice': 'tem a chave "{key}" duas vezes no mesmo lugar; deixe uma delas',
  'cloud_config.aliases':
    'tem referências (palavras depois de *) sem âncora antes, ou referências demais; escreva os valores por extenso e ponha entre aspas um texto que começa com *',
  'cloud_config.too_deep': 'tem mais de {most} níveis; use menos níveis',
  'cloud_config.too_many':
    'tem mais de {most} partes (chaves, valores e a pontuação entre eles); mova parte para um script ou um pacote',
}
