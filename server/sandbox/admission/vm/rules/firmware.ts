import { type Cause } from '../../../objects/cause.ts'
import { type Json, type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { machineTypePatterns } from '../../../objects/vms/cluster-config.ts'
import { pathCauses } from './paths.ts'
import { type Rule, causesWhere, parts } from './rule.ts'

/** Validates the machine type and the firmware. */
export const firmware: Record<'machineType' | 'acpi' | 'boot', Rule> = {
  machineType({ spec, at }) {
    const type = read.text(read.at(spec, 'domain', 'machine', 'type'))
    const known = machineTypePatterns(read.text(spec.architecture))
    if (type === '' || known.some((pattern) => type.startsWith(pattern.slice(0, -1)))) return []
    const field = `${at}.domain.machine.type`
    return [
      cause.wrong(
        field,
        `${field} is not supported: ${type} (allowed values: [${known.join(' ')}])`,
      ),
    ]
  },

  acpi(context) {
    const tables = read.at(context.spec, 'domain', 'firmware', 'acpi')
    if (tables === undefined) return []
    const field = `${context.at}.acpi`
    const references = (['slicNameRef', 'msdmNameRef'] as const).filter(
      (key) => read.text(read.at(tables, key)) !== '',
    )
    if (references.length === 0)
      return [cause.wrong(field, 'ACPI was set but no SLIC nor MSDM volume reference was set')]
    return references.flatMap((key) => {
      const volume = parts.volumes(context).find(({ name }) => name === read.at(tables, key))
      if (!volume)
        return [cause.wrong(`${field}.${key}`, `${field} does not have a matching Volume.`)]
      return volume.secret === undefined
        ? [cause.wrong(`${field}.${key}`, `${field} refers to Volume of unsupported type.`)]
        : []
    })
  },

  boot(context) {
    const domain = parts.domain(context)
    const settings = read.map(domain.firmware)
    const at = `${context.at}.domain`
    const { bios, efi } = read.map(settings.bootloader)
    const loader = `${at}.firmware.bootloader`
    // With TDX the keys are part of the firmware and need no protection by SMM.
    const isProtected =
      isOn(read.at(domain, 'features', 'smm')) ||
      read.at(domain, 'launchSecurity', 'tdx') !== undefined
    return [
      ...causesWhere([
        bios !== undefined && efi !== undefined,
        cause.wrong(
          loader,
          `${loader} has both EFI and BIOS configured, but they are mutually exclusive.`,
        ),
      ]),
      ...kernelCauses(`${at}.firmware.kernelBoot`, read.map(settings.kernelBoot)),
      ...causesWhere([
        efi !== undefined && read.at(efi, 'secureBoot') !== false && !isProtected,
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
    return causesWhere([read.text(kernelArgs) !== '', cause.wrong(`${at}.kernelArgs`, message)])
  }
  const paths = (['kernelPath', 'initrdPath'] as const).map((key) => ({
    key,
    path: read.text(read.at(container, key)),
  }))
  const specified = paths.filter(({ path }) => path !== '')
  const field = `${at}.container`
  return [
    ...causesWhere(
      [
        read.text(read.at(container, 'image')) === '',
        cause.required(`${field}.image`, `${field} must be defined with an image`),
      ],
      [
        specified.length === 0,
        cause.required(
          field,
          `${field} must be defined with at least one of the following: kernelPath, initrdPath`,
        ),
      ],
    ),
    ...specified.flatMap(({ key, path }) => pathCauses(`${field}.${key}`, path)),
  ]
}
