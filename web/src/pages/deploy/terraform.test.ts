import { expect, test } from 'vitest'
import { terraformFrom } from './terraform.ts'

const from = (input: object) =>
  terraformFrom(
    { name: 'web-1', templateId: 't', ...input },
    { endpoint: 'https://berth.example', tenantId: 'home' },
  )

test.each([
  { because: 'a name is given as it is', input: {}, line: '  name          = "web-1"' },
  {
    because: 'the resource is called by it',
    input: {},
    line: 'resource "virtfoundry_vm" "web_1" {',
  },
  {
    because: 'names of resources begin with no digit',
    input: { name: '9-lives' },
    line: 'resource "virtfoundry_vm" "_9_lives" {',
  },
  {
    because: 'lists stay lists',
    input: { networkIds: ['a', 'b'] },
    line: '  network_ids   = ["a", "b"]',
  },
  { because: 'it runs unless said otherwise', input: {}, line: '  desired_state = "running"' },
  { because: 'it can be left off', input: { start: false }, line: '  desired_state = "stopped"' },
  {
    because: 'quotes and dollars mean themselves',
    input: { displayName: 'a "${b}" %{c}' },
    line: '  display_name  = "a \\"$${b}\\" %%{c}"',
  },
  {
    because: 'one key is all that it takes',
    input: { sshKeyIds: ['k1', 'k2'] },
    line: '  ssh_key_id    = "k1"',
  },
  {
    because: 'and it says so',
    input: { sshKeyIds: ['k1', 'k2'], secureBoot: true },
    line: '# It cannot say: Secure Boot, more than one SSH key.',
  },
  { because: 'it acts in the tenant of the page', input: {}, line: '  tenant_id = "home"' },
])('Terraform: $because', ({ input, line }) => {
  expect(from(input).split('\n')).toContain(line)
})

test('what is not asked for is not written, and no password is', () => {
  expect(from({ cloudInitPassword: 'hush hush' })).not.toMatch(/hush|network_ids|public_ip|null/)
  expect(from({})).not.toContain('It cannot say')
})
