import { isIPv4 } from 'node:net'
import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { isPciAddress, whyNoMac } from '../rules/hardware.ts'
import { portCauses, portRangeCauses } from './ports.ts'
import { type RuleContext, causesWhere, parts } from '../rules/rule.ts'

const models = ['e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139', 'virtio', '']

/** Validates the fields of one interface. */
export function interfaceCauses(context: RuleContext, index: number): Cause[] {
  const each = parts.interfaces(context)[index] ?? {}
  const at = `${context.at}.domain.devices.interfaces[${index}]`
  const onPod = parts
    .networks(context)
    .some(({ name, pod }) => name === each.name && pod !== undefined)
  return [
    ...identityCauses(at, each),
    ...(onPod ? portCauses(at, read.maps(each.ports)) : []),
    ...portRangeCauses(at, each, { onPod, isOn: context.config.isGateEnabled('PortRangesSpec') }),
    ...dhcpCauses(context.at, at, read.map(each.dhcpOptions)),
  ]
}

function identityCauses(at: string, each: JsonMap): Cause[] {
  const [name, model, address, mac] = [each.name, each.model, each.pciAddress, each.macAddress].map(
    read.text,
  )
  const whyMac = whyNoMac(mac ?? '')
  return causesWhere(
    [
      !/^[A-Za-z0-9-_]+$/.test(name ?? ''),
      cause.wrong(
        `${at}.name`,
        'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)',
      ),
    ],
    [
      !models.includes(model ?? ''),
      cause.unsupported(
        `${at}.model`,
        `interface ${at}.name uses model ${model} that is not supported.`,
      ),
    ],
    [whyMac !== null, cause.wrong(`${at}.macAddress`, `interface ${at}.name has ${whyMac}.`)],
    [
      address !== '' && !isPciAddress(address ?? ''),
      cause.wrong(
        `${at}.pciAddress`,
        `interface ${at}.name has malformed PCI address (${address}).`,
      ),
    ],
  )
}

function dhcpCauses(spec: string, at: string, { privateOptions, ntpServers }: JsonMap): Cause[] {
  const options = read.maps(privateOptions).map(({ option }) => Number(option))
  const outside = options.filter((option) => option < 224 || option > 254)
  return [
    ...causesWhere([
      new Set(options).size < options.length,
      cause.wrong(spec, 'Found Duplicates: you have provided duplicate DHCPPrivateOptions'),
    ]),
    ...outside.map(() =>
      cause.wrong(
        spec,
        'provided DHCPPrivateOptions are out of range, must be in range 224 to 254',
      ),
    ),
    ...read
      .texts(ntpServers)
      .flatMap((server, index) =>
        isIPv4(server)
          ? []
          : [
              cause.wrong(
                `${at}.dhcpOptions.ntpServers[${index}]`,
                'NTP servers must be a list of valid IPv4 addresses.',
              ),
            ],
      ),
  ]
}
