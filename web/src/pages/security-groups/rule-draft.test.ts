import { describe, expect, test } from 'vitest'
import { draftFromRule, newDraft, ruleFromDraft } from './rule-draft.ts'
import { trafficLabel } from '../../components/network/rule-labels.ts'

const https = {
  direction: 'ingress',
  protocol: 'tcp',
  portFrom: 443,
  portTo: 443,
  cidr: '0.0.0.0/0',
  peerGroupId: null,
} as const

describe('rule drafts', () => {
  test.each([
    { because: 'one port', rule: https },
    { because: 'a range of ports', rule: { ...https, portFrom: 8000, portTo: 8010 } },
    { because: 'every port', rule: { ...https, portFrom: null, portTo: null } },
    {
      because: 'every protocol, from a range of addresses',
      rule: {
        ...https,
        protocol: 'all' as const,
        portFrom: null,
        portTo: null,
        cidr: '10.0.0.0/8',
      },
    },
    {
      because: 'a group',
      rule: { ...https, direction: 'egress' as const, cidr: null, peerGroupId: 'b6f7' },
    },
    {
      because: 'an ICMP rule with a port',
      rule: { ...https, protocol: 'icmp' as const, portFrom: 8, portTo: 8 },
    },
    { because: 'IPv6', rule: { ...https, cidr: '::/0' } },
  ])('a rule is unchanged after editing: $because', ({ rule }) => {
    expect(ruleFromDraft(draftFromRule({ ...rule, singlePort: false }))).toEqual({
      rule,
      errors: {},
    })
  })

  test.each(['tcp', 'icmp'] as const)(
    'a %s rule that was written with one port keeps that, unless its ports change',
    (protocol) => {
      const draft = draftFromRule({ ...https, protocol, singlePort: true })
      expect(ruleFromDraft(draft).rule).toMatchObject({ portFrom: 443, portTo: null })
      const range = ruleFromDraft({ ...draft, protocol: 'tcp', ports: '443-444' }).rule
      expect(range).toMatchObject({ portFrom: 443, portTo: 444 })
    },
  )

  test.each(['https', '0', '65536', '90-80', '80,443', '-1'])(
    'a rule refuses the ports “%s”',
    (ports) => {
      expect(ruleFromDraft(newDraft({ ports })).errors).toHaveProperty('ports')
    },
  )

  test.each(['', 'everyone', '10.0.0', '10.0.0.0/8 or so'])(
    'a rule refuses the addresses “%s”',
    (cidr) => {
      expect(ruleFromDraft(newDraft({ peer: 'cidr', cidr })).errors).toHaveProperty('cidr')
    },
  )

  test('a rule drops its ports when its protocol has none', () => {
    expect(ruleFromDraft(newDraft({ protocol: 'icmp', ports: '443' }))).toMatchObject({
      rule: { portFrom: null, portTo: null },
      errors: {},
    })
  })
})

test.each([
  { rule: https, label: 'TCP 443' },
  {
    rule: { ...https, protocol: 'udp' as const, portFrom: null, portTo: null },
    label: 'UDP, every port',
  },
  { rule: { ...https, portTo: 450 }, label: 'TCP 443-450' },
  {
    rule: { ...https, protocol: 'all' as const, portFrom: null, portTo: null },
    label: 'Everything',
  },
])('traffic is labelled $label', ({ rule, label }) => {
  expect(trafficLabel(rule)).toBe(label)
})
