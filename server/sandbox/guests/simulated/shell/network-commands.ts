import {
  type Command,
  CommandError,
  type ShellGuest,
  type Job,
  type CommandResult,
} from './shell.ts'

const bare = (address: string): string => address.split('/')[0] ?? ''

const octets = (address: string): number =>
  bare(address)
    .split('.')
    .reduce((sum, part) => sum * 256 + Number(part), 0)

/** Returns the network of an address with its prefix length. */
function networkOf(address: string): string {
  const bits = Number(address.split('/')[1] ?? 24)
  const base = Math.floor(octets(address) / 2 ** (32 - bits)) * 2 ** (32 - bits)
  return `${[24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join('.')}/${bits}`
}

const up = '<BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP'
const down = '<BROADCAST,MULTICAST> mtu 1500 qdisc noop state DOWN'

function addresses({ wiring: { links } }: ShellGuest): string {
  const loopback = [
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN',
    '    inet 127.0.0.1/8 scope host lo',
  ]
  const interfaces = links.flatMap((link, index) => [
    `${index + 2}: ${link.name}: ${link.isUp ? up : down}`,
    `    link/ether ${link.mac} brd ff:ff:ff:ff:ff:ff`,
    ...link.addresses.map((address) => `    inet ${address} scope global ${link.name}`),
  ])
  return `${[...loopback, ...interfaces].join('\n')}\n`
}

function routes({ wiring: { links } }: ShellGuest): string {
  const lines = links.flatMap(({ name, addresses: own, gateway }) => [
    ...(gateway === null ? [] : [`default via ${gateway} dev ${name}`]),
    ...own.map(
      (address) => `${networkOf(address)} dev ${name} proto kernel scope link src ${bare(address)}`,
    ),
  ])
  return lines.map((line) => `${line}\n`).join('')
}

/** Only addresses of the guest itself and its gateways answer a ping. */
function answers({ wiring: { links } }: ShellGuest, address: string): boolean {
  const near = links.flatMap(({ gateway, addresses: own }) => [
    ...own.map(bare),
    ...(gateway === null ? [] : [gateway]),
  ])
  return ['127.0.0.1', 'localhost', ...near].includes(address)
}

const ping: Command = ({ guest, args }): CommandResult => {
  const address =
    args.find((each, index) => !each.startsWith('-') && args[index - 1] !== '-c') ?? ''
  if (!/^[\d.]+$/.test(address) && address !== 'localhost')
    throw new CommandError(`${address}: Name or service not known`, 2)
  const count = Number(args[args.indexOf('-c') + 1] ?? Infinity)
  const limit = args.includes('-c') ? count : Infinity
  const isThere = answers(guest, address)
  let sent = 0
  const summary = (): string => {
    const loss = isThere ? 0 : 100
    return `\n--- ${address} ping statistics ---\n${sent} packets transmitted, ${isThere ? sent : 0} received, ${loss}% packet loss\n`
  }
  const job: Job = {
    everyMs: 1_000,
    next() {
      if (sent >= limit) return null
      sent += 1
      const reply = isThere
        ? `64 bytes from ${address}: icmp_seq=${sent} ttl=64 time=0.${200 + sent} ms\n`
        : ''
      return sent >= limit ? `${reply}${summary()}` : reply
    },
    interrupted: summary,
  }
  return {
    output: `PING ${address} (${address}) 56(84) bytes of data.\n`,
    status: isThere ? 0 : 1,
    job,
  }
}

const changingVerbs = ['add', 'set']

/** `ip address add 10.7.0.5/24 dev eth1` and `ip link set eth1 up`. */
function changed({ wiring }: ShellGuest, uid: number, words: readonly string[]): string {
  if (uid !== 0) throw new CommandError('RTNETLINK answers: Operation not permitted', 2)
  const address = words.find((word) => /^[\d.]+\/\d+$/.test(word))
  const device =
    words.find((word) => word !== address && !['dev', 'up', 'down'].includes(word)) ?? ''
  const wrong = wiring.configure(device, (link) =>
    address === undefined
      ? { isUp: words.includes('up') }
      : { addresses: [...link.addresses, address] },
  )
  if (wrong !== null) throw new CommandError(wrong)
  return ''
}

/** Commands of the simulated shell that show and configure network interfaces. */
export const networkCommands: Readonly<Record<string, Command>> = {
  ip({ guest, shell, args }) {
    const [object = '', verb = '', ...rest] = args.filter((each) => !each.startsWith('-'))
    if (changingVerbs.includes(verb)) return changed(guest, shell.user.uid, rest)
    if ('address'.startsWith(object) && object !== '') return addresses(guest)
    if ('route'.startsWith(object) && object !== '') return routes(guest)
    if ('link'.startsWith(object) && object !== '')
      return addresses(guest).replaceAll(/ {4}inet .*\n/g, '')
    throw new CommandError(`Object "${object}" is unknown, try "ip help".`)
  },
  ping,
}
