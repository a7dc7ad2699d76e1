import { expect, test } from 'vitest'
import { configProblem } from './cloud-config.ts'

test.each([
  { text: '', adds: true, line: undefined, because: 'nothing is fine' },
  {
    text: '#cloud-config\npackages:\n- nginx\nruncmd:\n  - [ls, -l]\n',
    adds: true,
    line: undefined,
    because: 'this is how it looks',
  },
  { text: '\n#cloud-config\n', adds: false, line: undefined, because: 'the server trims it too' },
  { text: '#!/bin/sh\necho hi', adds: false, line: undefined, because: 'cloud-init runs scripts' },
  { text: '#!/bin/sh\necho hi', adds: true, line: 1, because: 'keys cannot be put into a script' },
  {
    text: 'packages: [nginx]',
    adds: false,
    line: 1,
    because: 'cloud-init would take it for nothing',
  },
  {
    text: '#cloud-config\npackages:\n\t- nginx',
    adds: false,
    line: 3,
    because: 'YAML has no tabs',
  },
  { text: '#cloud-config\nhello', adds: false, line: 2, because: 'it is no setting' },
  { text: '#cloud-config\nhostname:a', adds: false, line: 2, because: 'YAML wants a space there' },
  {
    text: '#cloud-config\na: 1\nb: 2\na: 3',
    adds: false,
    line: 4,
    because: 'the second would silently win',
  },
  {
    text: `#cloud-config\n# ${'x'.repeat(17_000)}`,
    adds: false,
    line: null,
    because: 'clusters take no more',
  },
])('line $line of a cloud-config is complained about: $because', ({ text, adds, line }) =>
  expect(configProblem(text, { adds })?.line).toBe(line),
)
