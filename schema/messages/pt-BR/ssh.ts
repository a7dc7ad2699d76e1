import { type ssh as english } from '../en/ssh.ts'
import { type Translation } from '../catalogue.ts'

export const ssh: Translation<typeof english> = {
  'ssh.name_taken': 'Já existe uma chave SSH com o nome {name}; escolha outro.',
  'ssh.name_taken_meanwhile': 'Já existe uma chave SSH com este nome; escolha outro.',
  'ssh.key_registered': 'Esta chave já está registrada como {name}; use essa.',
  'ssh.key_registered_meanwhile': 'Esta chave já está registrada; use essa.',
  'ssh.most_keys':
    'Um tenant pode ter no máximo {most} chaves SSH; exclua uma que não é mais usada.',
  'ssh.key_wanted':
    'deve ser a linha de uma chave pública; por exemplo: ssh-ed25519 AAAA… comentário',
  'ssh.key_private':
    'é uma chave privada, que ninguém mais pode ver; envie a metade pública (o arquivo que termina em .pub, ou o que ssh-keygen -y mostra)',
  'ssh.key_format':
    'está em outro formato; converta-a com ssh-keygen -i (e -m PKCS8 ou -m PEM onde tem cinco hifens) até ficar assim, por exemplo: ssh-ed25519 AAAA… comentário',
  'ssh.key_lines': 'tem várias linhas; envie uma chave, em uma linha',
  'ssh.key_control_characters': 'contém caracteres de controle; copie a linha de novo',
  'ssh.key_damaged':
    'está danificada: a chave foi cortada ou alterada ao ser copiada; copie a linha inteira de novo',
  'ssh.key_without_type':
    'começa com a própria chave; ponha o tipo antes dela, por exemplo: ssh-ed25519 AAAA… comentário',
  'ssh.key_certificate': 'é um certificado; envie a chave pública para a qual foi feito',
  'ssh.key_type_refused': 'tem o tipo {type}, que não é aceito; use um destes: {types}',
  'ssh.key_type_other':
    'diz ser {type}, mas a chave nela é do tipo {inner}; copie a linha inteira de novo',
  'ssh.key_weak':
    'é uma chave RSA de {bits} bits, fraca demais; use uma de ao menos {least} bits, ou melhor, ssh-ed25519',
  'ssh.key_too_long':
    'é uma chave RSA de {bits} bits; servidores aceitam no máximo {most}, então use uma mais curta ou, melhor, ssh-ed25519',
  'ssh.key_options':
    'começa com opções; elas não são aproveitadas, por isso envie só a chave, começando pelo tipo',
  'ssh.port_range': 'deve ser um número inteiro de {least} a {most}; deixe-o de fora para qualquer um livre',
  'ssh.port_taken':
    'A porta {port} da plataforma já está em uso; peça outra ou qualquer uma livre.',
  'ssh.no_ports': 'O cluster recusou abrir uma porta para SSH. Fale com o operador, que acha o motivo no log do Berth; depois exponha o SSH de novo.',
  'ssh.waiting':
    'A VM não tem IP no momento; a porta leva a ela assim que ela estiver em execução.',
  'ssh.not_exposed': 'O acesso SSH da VM {name} não está ativado, por isso não pode ser desativado; não há nada a fazer.',
  'ssh.no_pod_nic':
    'A VM {name} não tem placa na rede do cluster, aonde a porta levaria; crie uma VM nova com uma.',
  'ssh.not_reachable_yet':
    'O acesso SSH da VM {name} não está pronto: ainda não há IP ou porta do nó confirmados; tente de novo em um momento e, se isso se repetir, fale com o operador.',
  'ssh.disabled_meanwhile': 'O acesso SSH da VM {name} foi desativado de novo antes de ficar pronto; ative-o outra vez se ainda precisar dele.',
}
