import { type GuestVmiNic, type Seed } from '../guest.ts'
import { type Link, linksOf } from './links.ts'

/** The network interfaces that a simulated guest shows, and their changes while it runs. */
export class Wiring {
  readonly #changed: () => void
  links: readonly Link[] = []

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Configures the interfaces from cloud-init's network data. A NIC added later stays bare. */
  boot(nics: readonly GuestVmiNic[], seed: Seed | null): void {
    this.links = linksOf(nics, seed?.networkData ?? '')
  }

  /** Adds and removes interfaces after a hotplug. The other NICs keep their configuration. */
  follow(nics: readonly GuestVmiNic[]): void {
    const macs = nics.map(({ mac }) => mac.toLowerCase())
    const stays = this.links.filter(({ mac }) => macs.includes(mac))
    const added = macs.filter((mac) => !stays.some((link) => link.mac === mac))
    if (added.length === 0 && stays.length === this.links.length) return
    this.links = added.reduce<readonly Link[]>(
      (links, mac) => [...links, bareLink(links, mac)],
      stays,
    )
    this.#changed()
  }

  /** Changes an interface. Returns the error message of `ip`, or null. */
  configure(name: string, news: (link: Link) => Partial<Link>): string | null {
    const link = this.links.find((each) => each.name === name)
    if (!link) return `Cannot find device "${name}"`
    this.links = this.links.map((each) => (each === link ? { ...link, ...news(link) } : each))
    this.#changed()
    return null
  }
}

function bareLink(links: readonly Link[], mac: string): Link {
  const taken = new Set(links.map(({ name }) => name))
  const free = Array.from({ length: links.length + 1 }, (_, index) => `eth${index}`).find(
    (name) => !taken.has(name),
  )
  return { name: free ?? 'eth', mac, isUp: false, addresses: [], gateway: null }
}
