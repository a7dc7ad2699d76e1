import { type Cause } from '../../../objects/cause.ts'
import { type Json, type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { machinesFor } from '../../../objects/vms/cluster-config.ts'
import { pathCauses } from './paths.ts'
import { type Rule, found, parts } from './rule.ts'

/** The machine, and how it boots. */
export const firmware: Record<'machine' | 'acpi' | 'boot', Rule> = {
  machine({ spec, at }) {
    const type = read.text(read.at(spec, 'domain', 'machine', 'type'))
    const known = machinesFor(read.text(spec.architecture))
    if (type === '' || known.some((pattern) => type.startsWith(pattern.slice(0, -1)))) return []
    const field = `${at}.domain.machine.type`
    return [
      cause.wrong(
        field,
        `${field} is not supported: ${type} (allowed values: [${known.join(' ')}])`,
      ),
    ]
  },

  acpi(asked) {
    const tables = read.at(asked.spec, 'domain', 'firmware', 'acpi')
    if (tables === undefined) return []
    const field = `${asked.at}.acpi`
    const given = (['slicNameRef', 'msdmNameRef'] as const).filter(
      (key) => read.text(read.at(tables, key)) !== '',
    )
    if (given.length === 0)
      return [cause.wrong(field, 'ACPI was set but no SLIC nor MSDM volume reference was set')]
    return given.flatMap((key) => {
      const volume = parts.volumes(asked).find(({ name }) => name === read.at(tables, key))
      if (!volume)
        return [cause.wrong(`${field}.${key}`, `${field} does not have a matching Volume.`)]
      return volume.secret === undefined
        ? [cause.wrong(`${field}.${key}`, `${field} refers to Volume of unsupported type.`)]
        : []
    })
  },

  boot(asked) {
    const domain = parts.domain(asked)
    const given = read.map(domain.firmware)
    const at = `${asked.at}.domain`
    const { bios, efi } = read.map(given.bootloader)
    const loader = `${at}.firmware.bootloader`
    // With TDX the keys are part of the firmware, and nothing has to guard them.
    const isGuarded =
      isOn(read.at(domain, 'features', 'smm')) ||
      read.at(domain, 'launchSecurity', 'tdx') !== undefined
    return [
      ...found([
        bios !== undefined && efi !== undefined,
        cause.wrong(
          loader,
          `${loader} has both EFI and BIOS configured, but they are mutually exclusive.`,
        ),
      ]),
      ...kernelCauses(`${at}.firmware.kernelBoot`, read.map(given.kernelBoot)),
      ...found([
        efi !== undefined && read.at(efi, 'secureBoot') !== false && !isGuarded,
        cause.wrong(
          at,
          `${at} has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.`,
        ),
      ]),
    ]
  },
}

const isOn = (feature: Json | undefined): boolean =>
  feature !== undefined && read.at(feature, 'enabled') !== false

function kernelCauses(at: string, { container, kernelArgs }: JsonMap): Cause[] {
  if (container === undefined) {
    const message = 'kernel arguments cannot be provided without an external kernel'
    return found([read.text(kernelArgs) !== '', cause.wrong(`${at}.kernelArgs`, message)])
  }
  const paths = (['kernelPath', 'initrdPath'] as const).map((key) => ({
    key,
    path: read.text(read.at(container, key)),
  }))
  const given = paths.filter(({ path }) => path !== '')
  const field = `${at}.container`
  return [
    ...found(
      [
        read.text(read.at(container, 'image')) === '',
        cause.required(`${field}.image`, `${field} must be defined with an image`),
      ],
      [
        given.length === 0,
        cause.required(
          field,
          `${field} must be defined with at least one of the following: kernelPath, initrdPath`,
        ),
      ],
    ),
    ...given.flatMap(({ key, path }) => pathCauses(`${field}.${key}`, path)),
  ]
}
