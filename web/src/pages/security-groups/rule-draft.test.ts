import { describe, expect, test } from 'vitest'
import { draftFromRule, newDraft, ruleFromDraft } from './rule-draft.ts'
import { trafficWords } from '../../components/network/rule-words.ts'

const https = {
  direction: 'ingress',
  protocol: 'tcp',
  portFrom: 443,
  portTo: 443,
  cidr: '0.0.0.0/0',
  peerGroupId: null,
} as const

describe('a rule that is typed', () => {
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
    { because: 'IPv6', rule: { ...https, cidr: '::/0' } },
  ])('comes back as it went in: $because', ({ rule }) => {
    expect(ruleFromDraft(draftFromRule(rule))).toEqual({ rule, errors: {} })
  })

  test.each(['https', '0', '65536', '90-80', '80,443', '-1'])('has no ports %s', (ports) => {
    expect(ruleFromDraft(newDraft({ ports })).errors).toHaveProperty('ports')
  })

  test.each(['', 'everyone', '10.0.0', '10.0.0.0/8 or so'])('has no addresses “%s”', (cidr) => {
    expect(ruleFromDraft(newDraft({ peer: 'cidr', cidr })).errors).toHaveProperty('cidr')
  })

  test('forgets ports that were typed before a protocol without ports was chosen', () => {
    expect(ruleFromDraft(newDraft({ protocol: 'icmp', ports: '443' }))).toMatchObject({
      rule: { portFrom: null, portTo: null },
      errors: {},
    })
  })
})

test.each([
  { rule: https, words: 'TCP 443' },
  {
    rule: { ...https, protocol: 'udp' as const, portFrom: null, portTo: null },
    words: 'UDP, every port',
  },
  { rule: { ...https, portTo: 450 }, words: 'TCP 443-450' },
  {
    rule: { ...https, protocol: 'all' as const, portFrom: null, portTo: null },
    words: 'Everything',
  },
])('traffic is told as $words', ({ rule, words }) => {
  expect(trafficWords(rule)).toBe(words)
})
