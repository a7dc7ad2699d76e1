/**
 * What a platform cannot do, or not by itself, and why; and what is wrong with a key that was sent.
 */
const example = 'por exemplo: ssh-ed25519 AAAA… comentário'

export const servedLimits: Readonly<Record<string, string>> = {
  'storage class {class} does not allow expansion':
    'a classe de armazenamento {class} não permite expandir volumes',
  'storage class {class} is not known to offer volumes that two nodes can use (ReadWriteMany)':
    'não se sabe se a classe de armazenamento {class} oferece volumes que dois nós podem usar (ReadWriteMany)',
  'no VolumeSnapshotClass serves the driver of storage class {class}':
    'nenhuma VolumeSnapshotClass atende o driver da classe de armazenamento {class}',
  'several VolumeSnapshotClasses serve the driver of storage class {class}, and not exactly one of them is the default':
    'várias VolumeSnapshotClasses atendem o driver da classe de armazenamento {class}, e não há exatamente uma padrão',
  '{uplink} is what {hosts} is reached by, and a bridge over it would cut the cluster off.':
    '{hosts} é alcançado por {uplink}, e uma bridge sobre essa interface isolaria o cluster.',
  '{uplink} is what {hosts} are reached by, and a bridge over it would cut the cluster off.':
    '{hosts} são alcançados por {uplink}, e uma bridge sobre essa interface isolaria o cluster.',
  'The bridge {bridge} could not be made over {uplink} on {hosts}; see whether they all have that interface.':
    'A bridge {bridge} não pôde ser criada sobre {uplink} em {hosts}; veja se todos têm essa interface.',
  'The bridge {bridge} is being made over {uplink} on every host.':
    'A bridge {bridge} está sendo criada sobre {uplink} em todos os hosts.',
  'The bridge {bridge} is being made over {uplink} on every host. Without it are {hosts}.':
    'A bridge {bridge} está sendo criada sobre {uplink} em todos os hosts. Ainda sem ela: {hosts}.',
  'every host': 'todos os hosts',
  '{some} and {rest} more': '{some} e mais {rest}',
  'The platform has been told, but whether anything filters in a network of this kind is not known: do not count on it.':
    'A plataforma foi avisada, mas não se sabe se algo filtra em uma rede deste tipo: não conte com isso.',
  'The platform filters on its own network only: in a private network every VM reaches every other, whatever their rules say.':
    'A plataforma filtra só na própria rede: em uma rede privada toda VM alcança todas as outras, digam o que disserem as regras.',
  'The platform filters on its own network only: whoever reaches the public address reaches the VM, whatever its rules say.':
    'A plataforma filtra só na própria rede: quem alcança o endereço público alcança a VM, digam o que disserem as regras.',
  'The pod network filters by TCP and UDP ports only, so ICMP stays closed there. A rule for all protocols with the same peer lets it through, together with everything else.':
    'A rede de pods filtra só por portas TCP e UDP, por isso ICMP fica fechado nela. Uma regra para todos os protocolos com a mesma origem ou destino o deixa passar, com todo o resto.',
  'must be the line of a public key; it looks like: ssh-ed25519 AAAA… comment': `deve ser a linha de uma chave pública; ${example}`,
  'is a private key, which nobody else may see; send its public half (the file that ends in .pub, or what ssh-keygen -y prints)':
    'é uma chave privada, que ninguém mais pode ver; envie a metade pública (o arquivo que termina em .pub, ou o que ssh-keygen -y mostra)',
  'is in another format; convert it with ssh-keygen -i (and -m PKCS8 or -m PEM where it has five dashes) until it looks like: ssh-ed25519 AAAA… comment': `está em outro formato; converta-a com ssh-keygen -i (e -m PKCS8 ou -m PEM onde tem cinco hifens) até ficar assim, ${example}`,
  'has several lines; send one key, on one line':
    'tem várias linhas; envie uma chave, em uma linha',
  'has control characters in it; copy the line again':
    'contém caracteres de controle; copie a linha de novo',
  'is damaged: the key was cut off or changed when it was copied; copy the whole line again':
    'está danificada: a chave foi cortada ou alterada ao ser copiada; copie a linha inteira de novo',
  'begins with the key itself; put its type before it: it looks like: ssh-ed25519 AAAA… comment': `começa com a própria chave; ponha o tipo antes dela, ${example}`,
  'is a certificate; send the public key that it was made for':
    'é um certificado; envie a chave pública para a qual foi feito',
  'has the type {type}, which is not accepted; use one of {types}':
    'tem o tipo {type}, que não é aceito; use um destes: {types}',
  'calls itself {type}, but the key in it is of the type {inner}; copy the whole line again':
    'diz ser {type}, mas a chave nela é do tipo {inner}; copie a linha inteira de novo',
  'is an RSA key of {bits} bits, which is too weak; use one of at least {least} bits, or better ssh-ed25519':
    'é uma chave RSA de {bits} bits, fraca demais; use uma de ao menos {least} bits, ou melhor, ssh-ed25519',
  'begins with options; options are not taken over, so send the key alone, beginning with its type':
    'começa com opções; elas não são aproveitadas, por isso envie só a chave, começando pelo tipo',
}
