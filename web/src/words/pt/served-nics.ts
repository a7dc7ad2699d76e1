const byMove = 'uma VM em execução recebe uma placa ao mudar para outro host, e'

const because: Readonly<Record<string, string>> = {
  unknown: 'a plataforma ainda não tinha dito o que pode fazer com uma VM em execução',
  platform: 'esta plataforma não faz isso com uma VM em execução',
  one_host: `${byMove} só há um host`,
  disks: `${byMove} um dos discos só pode estar em um host de cada vez`,
  host: `${byMove} algo nela está preso ao host`,
  network: 'a rede dá os endereços a uma VM quando ela é ligada',
  not_running: 'a VM não estava em execução normal',
  not_in_time: 'não foi possível fazê-lo a tempo com a VM em execução',
}

const sentences = (state: string, begin: string): [string, string][] =>
  Object.entries(because).map(([code, why]) => [`nic.${state}.${code}`, `${begin}, porque ${why}.`])

/** Why a NIC is not where it is to be: `nic.<state>.<code>`. */
export const servedNics: Readonly<Record<string, string>> = {
  ...Object.fromEntries([
    ...sentences('waiting', 'Ela vem no próximo início'),
    ...sentences('leaving', 'Ela sai com o fim desta execução'),
  ]),
  'nic.leaving.clearing':
    'O convidado já a liberou. O endereço fica reservado até a VM mudar para outro host ou esta execução terminar.',
}
