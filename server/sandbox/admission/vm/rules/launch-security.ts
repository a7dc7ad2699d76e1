import { type Cause } from '../../../objects/cause.ts'
import { type Json } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

const gates = {
  sev: 'WorkloadEncryptionSEV',
  snp: 'WorkloadEncryptionSEV',
  tdx: 'WorkloadEncryptionTDX',
} as const
type Type = keyof typeof gates
const types: readonly Type[] = ['sev', 'snp', 'tdx']

/** Validates confidential guests, whose memory the node cannot read. */
export const launchSecurity: Rule = (context) => {
  const { launchSecurity: settings } = parts.domain(context)
  const architecture = read.text(context.spec.architecture)
  if (settings === undefined || architecture === 's390x') return []
  if (architecture !== 'amd64')
    return [
      cause.wrong(
        `${context.at}.architecture`,
        `No launchSecurity support for architecture: ${architecture}`,
      ),
    ]
  const field = `${context.at}.launchSecurity`
  const [type, ...more] = types.filter((each) => read.at(settings, each) !== undefined)
  if (type === undefined || more.length > 0)
    return [cause.forbidden(field, 'One and only one launchSecurity type can be set')]
  const gate = gates[type]
  if (!context.config.isGateEnabled(gate))
    return [cause.wrong(field, `${gate} feature gate is not enabled in kubevirt-config`)]
  return typeCauses(context, type, field)
}

function typeCauses(context: RuleContext, type: Type, field: string): Cause[] {
  const { features, firmware, launchSecurity: settings } = parts.domain(context)
  const smm = read.at(features, 'smm')
  const wrong = (message: string): Cause => cause.wrong(field, message)
  return [
    ...causesWhere([
      type === 'tdx' && smm !== undefined && read.at(smm, 'enabled') !== false,
      wrong('TDX does not work along with SMM'),
    ]),
    ...efiCauses(read.at(firmware, 'bootloader', 'efi'), type, wrong),
    ...causesWhere([
      type === 'sev' &&
        context.spec.startStrategy !== 'Paused' &&
        read.at(settings, 'sev', 'attestation') !== undefined,
      wrong("SEV attestation requires VMI StartStrategy 'Paused'"),
    ]),
    ...parts
      .interfaces(context)
      .filter(({ bootOrder }) => bootOrder !== undefined)
      .map(({ name }) =>
        wrong(`${type.toUpperCase()} does not work with bootable NICs: ${read.text(name)}`),
      ),
  ]
}

function efiCauses(efi: Json | undefined, type: Type, wrong: (message: string) => Cause): Cause[] {
  const name = type.toUpperCase()
  if (efi === undefined) return [wrong(`${name} requires OVMF (UEFI)`)]
  const { secureBoot, persistent } = read.map(efi)
  return causesWhere(
    [type !== 'tdx' && secureBoot !== false, wrong(`${name} does not work along with SecureBoot`)],
    [
      type !== 'sev' && persistent === true,
      wrong(`${name} does not work along with Persistent EFI variables`),
    ],
  )
}
