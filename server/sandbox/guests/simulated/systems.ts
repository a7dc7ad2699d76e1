/** An operating system that a simulated guest pretends to run. */
export interface System {
  id: string
  name: string
  version: string
  versionId: string
  prettyName: string
  kernel: string
  kernelVersion: string
  /** The user that exists without any user data. */
  defaultUser: string
  hasAgent: boolean
  hasCloudInit: boolean
  family: 'systemd' | 'openrc' | 'busybox' | 'windows'
}

const linux = {
  hasAgent: true,
  hasCloudInit: true,
  family: 'systemd',
} satisfies Partial<System>

const fedora: System = {
  ...linux,
  id: 'fedora',
  name: 'Fedora Linux',
  version: '42',
  versionId: '42',
  prettyName: 'Fedora Linux 42 (Cloud Edition)',
  kernel: '6.14.0',
  kernelVersion: '#1 SMP',
  defaultUser: 'fedora',
}

const ubuntu: System = {
  ...linux,
  id: 'ubuntu',
  name: 'Ubuntu',
  version: '24.04 LTS (Noble Numbat)',
  versionId: '24.04',
  prettyName: 'Ubuntu 24.04 LTS',
  kernel: '6.8.0-60-generic',
  kernelVersion: '#63-Ubuntu SMP PREEMPT_DYNAMIC',
  defaultUser: 'ubuntu',
}

const debian: System = {
  ...linux,
  id: 'debian',
  name: 'Debian GNU/Linux',
  version: '13 (trixie)',
  versionId: '13',
  prettyName: 'Debian GNU/Linux 13 (trixie)',
  kernel: '6.12.0-cloud-amd64',
  kernelVersion: '#1 SMP PREEMPT_DYNAMIC Debian 6.12',
  defaultUser: 'debian',
}

const alpine: System = {
  ...linux,
  id: 'alpine',
  name: 'Alpine Linux',
  version: '3.22',
  versionId: '3.22.0',
  prettyName: 'Alpine Linux v3.22',
  kernel: '6.12.30-0-virt',
  kernelVersion: '#1-Alpine SMP PREEMPT_DYNAMIC',
  defaultUser: 'alpine',
  family: 'openrc',
}

const cirros: System = {
  id: 'cirros',
  name: 'CirrOS',
  version: '0.6.3',
  versionId: '0.6.3',
  prettyName: 'CirrOS 0.6.3',
  kernel: '5.15.0-117-generic',
  kernelVersion: '#127-Ubuntu SMP',
  defaultUser: 'cirros',
  hasAgent: false,
  hasCloudInit: true,
  family: 'busybox',
}

const windows: System = {
  id: 'mswindows',
  name: 'Microsoft Windows',
  version: 'Microsoft Windows Server 2022',
  versionId: '2022',
  prettyName: 'Windows Server 2022 Standard',
  kernel: '20348',
  kernelVersion: '10.0',
  defaultUser: 'Administrator',
  hasAgent: true,
  hasCloudInit: false,
  family: 'windows',
}

const byName: readonly (readonly [words: RegExp, system: System])[] = [
  [/cirros/i, cirros],
  [/alpine/i, alpine],
  [/ubuntu|noble|jammy/i, ubuntu],
  [/debian|trixie|bookworm/i, debian],
  [/windows|win-?(?:\d|server)/i, windows],
]

/** Guesses the operating system from the names of an image. The default is Fedora. */
export const systemOf = (image: string): System =>
  byName.find(([words]) => words.test(image))?.[1] ?? fedora

/** The content of `/etc/os-release`. */
export const osRelease = ({ id, name, version, versionId, prettyName }: System): string =>
  `NAME="${name}"\nVERSION="${version}"\nID=${id}\nVERSION_ID=${versionId}\nPRETTY_NAME="${prettyName}"\n`
