import { type Json, type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type GuestVmiNic } from '../guest.ts'
import { yamlIn } from './cloud-config.ts'

/** A network interface as it is configured inside a simulated guest. */
export interface Link {
  name: string
  mac: string
  isUp: boolean
  /** Addresses with their prefix length. */
  addresses: string[]
  gateway: string | null
}

const ownGateway = (address: string): string => address.replace(/\.\d+(\/\d+)?$/, '.1')
const withPrefix = (address: string): string => (address.includes('/') ? address : `${address}/24`)

function leased(nic: GuestVmiNic): Pick<Link, 'addresses' | 'gateway'> {
  if (nic.address === null) return { addresses: [], gateway: null }
  return { addresses: [withPrefix(nic.address)], gateway: ownGateway(nic.address) }
}

/**
 * Returns the interfaces after cloud-init has applied its network data. Without network data only
 * the first interface uses DHCP.
 */
export function linksOf(nics: readonly GuestVmiNic[], networkData: string): Link[] {
  const parsed = read.map(yamlIn(networkData).value ?? {})
  const config = read.map(parsed.network ?? parsed)
  const configs = config.version === 1 ? fromVersion1(config) : fromVersion2(config)
  const bare = nics.map((nic, index): Link => ({
    name: `eth${index}`,
    mac: nic.mac.toLowerCase(),
    isUp: false,
    addresses: [],
    gateway: null,
  }))
  if (configs.length === 0)
    return bare.map((link, index) =>
      index === 0 && nics[0] ? { ...link, isUp: true, ...leased(nics[0]) } : link,
    )
  return bare.map((link, index) => {
    const entry = configs.find((each) =>
      each.mac === null ? each.key === link.name : each.mac === link.mac,
    )
    const nic = nics[index]
    if (!entry || !nic) return link
    const lease = entry.dhcp ? leased(nic) : { addresses: [], gateway: null }
    return {
      name: entry.rename ?? link.name,
      mac: link.mac,
      isUp: true,
      addresses: [...entry.addresses, ...lease.addresses],
      gateway: entry.gateway ?? lease.gateway,
    }
  })
}

interface InterfaceConfig {
  key: string
  mac: string | null
  rename: string | null
  dhcp: boolean
  addresses: string[]
  gateway: string | null
}

const lower = (value: Json | undefined): string | null =>
  typeof value === 'string' ? value.toLowerCase() : null
const orNull = (text: string): string | null => (text === '' ? null : text)

function fromVersion2(config: JsonMap): InterfaceConfig[] {
  return Object.entries(read.map(config.ethernets)).map(([key, value]) => {
    const entry = read.map(value)
    const route = read.maps(entry.routes).find(({ to }) => to === 'default' || to === '0.0.0.0/0')
    return {
      key,
      mac: lower(read.at(entry, 'match', 'macaddress')),
      rename: orNull(read.text(entry['set-name'])),
      dhcp: entry.dhcp4 === true || entry.dhcp4 === 'yes',
      addresses: read.texts(entry.addresses),
      gateway: orNull(read.text(entry.gateway4) || read.text(route?.via)),
    }
  })
}

function fromVersion1(config: JsonMap): InterfaceConfig[] {
  return read
    .maps(config.config)
    .filter(({ type }) => type === 'physical')
    .map((entry) => {
      const subnets = read.maps(entry.subnets)
      const mac = lower(entry.mac_address)
      return {
        key: read.text(entry.name),
        mac,
        rename: mac === null ? null : orNull(read.text(entry.name)),
        dhcp: subnets.some(({ type }) => type === 'dhcp' || type === 'dhcp4'),
        addresses: subnets.filter(({ type }) => type === 'static').map(addressOf),
        gateway: orNull(read.text(subnets.find(({ gateway }) => gateway !== undefined)?.gateway)),
      }
    })
}

function addressOf({ address, netmask }: JsonMap): string {
  const text = read.text(address)
  if (text.includes('/')) return text
  const bits = read
    .text(netmask)
    .split('.')
    .reduce((sum, part) => sum + Number(part).toString(2).replaceAll('0', '').length, 0)
  return `${text}/${bits === 0 ? 24 : bits}`
}
