import { expect, test } from 'vitest'
import { terraformFrom } from './terraform.ts'

const from = (input: object) =>
  terraformFrom(
    { name: 'web-1', templateId: 't', ...input },
    { endpoint: 'https://berth.example', tenantId: 'home' },
  )

test.each([
  { because: 'the name is unchanged', input: {}, line: '  name          = "web-1"' },
  {
    because: 'the resource has the name of the VM',
    input: {},
    line: 'resource "virtfoundry_vm" "web_1" {',
  },
  {
    because: 'the name of a resource must not begin with a digit',
    input: { name: '9-lives' },
    line: 'resource "virtfoundry_vm" "_9_lives" {',
  },
  {
    because: 'lists are supported',
    input: { networkIds: ['a', 'b'] },
    line: '  network_ids   = ["a", "b"]',
  },
  { because: 'the VM starts by default', input: {}, line: '  desired_state = "running"' },
  {
    because: 'the VM can stay stopped',
    input: { start: false },
    line: '  desired_state = "stopped"',
  },
  {
    because: 'quotes, dollars and percent signs are escaped',
    input: { displayName: 'a "${b}" %{c}' },
    line: '  display_name  = "a \\"$${b}\\" %%{c}"',
  },
  {
    because: 'the provider supports one key only',
    input: { sshKeyIds: ['k1', 'k2'] },
    line: '  ssh_key_id    = "k1"',
  },
  {
    because: 'unsupported settings are listed',
    input: { sshKeyIds: ['k1', 'k2'], secureBoot: true },
    line: '# It cannot say: Secure Boot, more than one SSH key.',
  },
  {
    because: 'the provider acts in the tenant of the page',
    input: {},
    line: '  tenant_id = "home"',
  },
])('the Terraform configuration has the line $line: $because', ({ input, line }) => {
  expect(from(input).split('\n')).toContain(line)
})

test('the Terraform configuration omits defaults and the password', () => {
  expect(from({ cloudInitPassword: 'hush hush' })).not.toMatch(/hush|network_ids|public_ip|null/)
  expect(from({})).not.toContain('It cannot say')
})
