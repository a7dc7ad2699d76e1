import { expect, test } from 'vitest'
import { requireRules } from './rules.ts'

test.each(['portFrom', 'portTo'] as const)(
  'a port of a rule for all protocols is refused at the field that was sent: %s',
  (field) => {
    const rule = { direction: 'ingress', protocol: 'all', cidr: '0.0.0.0/0', [field]: 22 } as const
    expect(() => requireRules([rule])).toThrow(
      expect.objectContaining({ fields: [expect.objectContaining({ path: `rules[0].${field}` })] }),
    )
  },
)
