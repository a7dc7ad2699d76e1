import { expect, test } from 'vitest'
import { configProblem } from './cloud-config.ts'

test.each([
  { text: '', adds: true, line: undefined, because: 'an empty text is valid' },
  {
    text: '#cloud-config\npackages:\n- nginx\nruncmd:\n  - [ls, -l]\n',
    adds: true,
    line: undefined,
    because: 'the text is valid',
  },
  {
    text: '\n#cloud-config\n',
    adds: false,
    line: undefined,
    because: 'empty lines may precede the header',
  },
  { text: '#!/bin/sh\necho hi', adds: false, line: undefined, because: 'cloud-init runs scripts' },
  { text: '#!/bin/sh\necho hi', adds: true, line: 1, because: 'keys cannot be added to a script' },
  {
    text: 'packages: [nginx]',
    adds: false,
    line: 1,
    because: 'cloud-init would ignore it without the header',
  },
  {
    text: '#cloud-config\npackages:\n\t- nginx',
    adds: false,
    line: 3,
    because: 'YAML forbids tabs',
  },
  { text: '#cloud-config\nhello', adds: false, line: 2, because: 'it is not a setting' },
  {
    text: '#cloud-config\nhostname:a',
    adds: false,
    line: 2,
    because: 'YAML requires a space after the colon',
  },
  {
    text: '#cloud-config\na: 1\nb: 2\na: 3',
    adds: false,
    line: 4,
    because: 'a duplicate key would silently win',
  },
  {
    text: `#cloud-config\n# ${'x'.repeat(17_000)}`,
    adds: false,
    line: null,
    because: 'clusters accept at most 16 KiB',
  },
])('the check of a cloud-config reports line $line: $because', ({ text, adds, line }) =>
  expect(configProblem(text, { adds })?.line).toBe(line),
)
