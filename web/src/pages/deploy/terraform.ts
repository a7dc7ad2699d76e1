import type { CreateVmInput } from './deploy-form.ts'
import type { PlainMessage } from '../../words/spoken.ts'
import { t } from '../../words/t.ts'

/** What the provider has no attribute for: it is left to what Berth does by itself. */
const unsaid: Partial<Record<keyof CreateVmInput, PlainMessage>> = {
  bootDiskSizeGi: 'the size of its boot disk',
  rootDisk: 'a boot disk that forgets',
  cpu: 'a size that is no offering',
  podNetwork: 'staying off the network of the platform',
  cloudInitPassword: 'its password',
  cloudInitUserData: 'its cloud-init',
  deleteProtection: 'protection against deletion',
  secureBoot: 'Secure Boot',
}

/**
 * The machine as the Terraform provider of `/api/v1` writes it, and what that provider cannot say.
 */
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
  const missing = unsaidIn(input)
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
  network_ids: input.networkIds,
  security_group_ids: input.securityGroupIds,
  ssh_key_id: input.sshKeyIds?.[0],
  data_volume_id: input.dataVolumeId,
  desired_state: input.start === false ? 'stopped' : 'running',
})

function unsaidIn(input: CreateVmInput): string[] {
  const keys = Object.entries(unsaid).flatMap(([key, words]) => (key in input ? [t(words)] : []))
  return (input.sshKeyIds?.length ?? 0) > 1 ? [...keys, t('more than one SSH key')] : keys
}

function block(head: string, attributes: Record<string, Value | null | undefined>): string[] {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value }],
  )
  const widest = Math.max(...given.map(({ key }) => key.length))
  return [
    `${head} {`,
    ...given.map(({ key, value }) => `  ${key.padEnd(widest)} = ${literal(value)}`),
    '}',
  ]
}

function literal(value: Value): string {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`
}

// What begins with these is worked out inside of a string.
const quoted = (text: string): string => JSON.stringify(text).replace(/([$%])\{/g, '$1$1{')

/**
 * A resource is called by letters, digits, dashes and underscores, and does not begin with a digit.
 */
const resourceName = (name: string): string =>
  name.replaceAll('-', '_').replace(/^(?=\d)/, '_') || 'vm'
