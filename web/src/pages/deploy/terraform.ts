import type { CreateVmInput } from './deploy-form.ts'
import type { PlainMessage } from '../../i18n/active-locale.ts'
import { t } from '../../i18n/t.ts'

/**
 * Settings for which VirtFoundry's Terraform provider has no attribute, so Berth's defaults apply.
 */
const unsupported: Partial<Record<keyof CreateVmInput, PlainMessage>> = {
  bootDiskSizeGi: 'the size of its boot disk',
  rootDisk: 'a boot disk that forgets',
  cpu: 'a size that is no offering',
  podNetwork: 'staying off the network of the platform',
  cloudInitPassword: 'its password',
  cloudInitUserData: 'its cloud-init',
  deleteProtection: 'protection against deletion',
  secureBoot: 'Secure Boot',
}

/** Returns the VM as configuration of the Terraform provider, and the settings that it lacks. */
export function terraformFrom(
  input: CreateVmInput,
  { endpoint, tenantId }: { endpoint: string; tenantId: string | null },
): string {
  const provider = block('provider "virtfoundry"', { endpoint, tenant_id: tenantId })
  const vm = block(`resource "virtfoundry_vm" "${resourceName(input.name)}"`, attributesOf(input))
  const lines = [
    requirement,
    '',
    `# ${t('The key comes from {variable}.', { variable: 'VIRTFOUNDRY_API_KEY' })}`,
    ...provider,
    '',
    ...vm,
  ]
  const missing = unsupportedIn(input)
  return [
    ...lines,
    ...(missing.length > 0
      ? ['', `# ${t('It cannot say: {settings}.', { settings: missing.join(', ') })}`]
      : []),
  ].join('\n')
}

const requirement = `terraform {
  required_providers {
    virtfoundry = { source = "virtfoundry/virtfoundry" }
  }
}`

type Value = string | boolean | readonly string[]

const attributesOf = (input: CreateVmInput): Record<string, Value | null | undefined> => ({
  name: input.name,
  display_name: input.displayName,
  template_id: input.templateId,
  service_offering_id: input.serviceOfferingId,
  public_ip: input.publicIp,
  network_ids: input.networkIds?.length ? input.networkIds : null,
  security_group_ids: input.securityGroupIds,
  ssh_key_id: input.sshKeyIds?.[0],
  data_volume_id: input.dataVolumeId,
  desired_state: input.start === false ? 'stopped' : 'running',
})

function unsupportedIn(input: CreateVmInput): string[] {
  const keys = Object.entries(unsupported).flatMap(([key, label]) =>
    key in input ? [t(label)] : [],
  )
  return (input.sshKeyIds?.length ?? 0) > 1 ? [...keys, t('more than one SSH key')] : keys
}

function block(head: string, attributes: Record<string, Value | null | undefined>): string[] {
  const present = Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value }],
  )
  const widest = Math.max(...present.map(({ key }) => key.length))
  return [
    `${head} {`,
    ...present.map(({ key, value }) => `  ${key.padEnd(widest)} = ${literal(value)}`),
    '}',
  ]
}

function literal(value: Value): string {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`
}

// Terraform evaluates `${` and `%{` inside a string, so both are escaped by doubling.
const quoted = (text: string): string => JSON.stringify(text).replace(/([$%])\{/g, '$1$1{')

/** Resource names have letters, digits, dashes and underscores, and never begin with a digit. */
const resourceName = (name: string): string =>
  name.replaceAll('-', '_').replace(/^(?=\d)/, '_') || 'vm'
