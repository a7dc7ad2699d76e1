import { expect, test } from 'vitest'
import { cloudConfigWith, mustBeUserData } from './cloud-config.ts'

const lines = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join('\n')
const config = (text: string): string => `#cloud-config\n${text}`

test.each([
  { because: 'it has 4,000 keys', text: config(lines(4_000, (at) => `k${at}: 1`)) },
  { because: 'it has 5,000 entries', text: config(`a:\n${lines(5_000, () => '- x')}`) },
  { because: 'it has 8,000 commas', text: config(`a: [${','.repeat(8_000)}]`) },
  { because: 'it has 7,000 brackets', text: config(`a: ${'['.repeat(7_000)}`) },
  { because: 'it has 7,000 closed brackets', text: config(`a: ${'[{b: '.repeat(2_000)}`) },
  { because: 'it has 7,000 levels in a line', text: config(`a:\n ${'- '.repeat(7_000)}x`) },
  { because: 'it has 7,000 levels of keys', text: config(`a:\n ${'? '.repeat(7_000)}x`) },
  {
    because: 'its aliases expand without bounds',
    text: config(
      `a: &a [x,x,x,x,x,x,x,x]\n${lines(9, (at) => {
        const [from, to] = ['abcdefghij'[at], 'abcdefghij'[at + 1]]
        return `${to}: &${to} [${lines(8, () => `*${from}`).replaceAll('\n', ',')}]`
      })}`,
    ),
  },
  { because: 'an alias has no anchor', text: config('a: *b') },
  { because: 'a key is there twice', text: config('a: 1\na: 2') },
  { because: 'a key is there twice inside', text: config('a:\n  - b: 1\n    b: 2') },
  { because: 'it is not YAML', text: config('}{') },
  { because: 'it has no header', text: '}{' },
  { because: 'its header is unknown', text: '#config\na: 1' },
  { because: 'it is a list', text: config('- a') },
])('user data is refused with a remedy when $because', ({ text }) => {
  expect(() => mustBeUserData(text)).toThrow(
    expect.objectContaining({ name: 'CloudConfigRefused' }),
  )
})

test.each([
  '#!/bin/sh\necho hello',
  '#cloud-config-archive\n- type: text/cloud-config',
  '## template: jinja\n#cloud-config\n{% if true %}',
  'Content-Type: multipart/mixed; boundary="b"',
  '#ps1_sysnative\nWrite-Host hello',
  config('a: &b [1]\nc: *b'),
  config(`write_files:\n${lines(300, (at) => `- path: /etc/a${at}\n  content: |\n    [[[[ {{{{`)}`),
  '#cloud-config',
])('the user data %j is accepted', (text) => {
  expect(() => mustBeUserData(text)).not.toThrow()
})

test('additions keep the settings of the text and its own keys', () => {
  const text = config('packages: [git]\nssh_authorized_keys: [mine]')
  const additions = { hostname: 'web', sshKeys: ['mine', 'ours'], password: null }
  expect(cloudConfigWith(text, additions)).toContain('packages:\n  - git')
  expect(cloudConfigWith(text, additions)).toContain('ssh_authorized_keys:\n  - mine\n  - ours')
})

test.each([
  { because: 'it is a script', text: '#!/bin/sh', key: 'cloud_config.header_needed' },
  { because: 'it has no header', text: 'a: 1', key: 'cloud_config.header_missing' },
])('user data that takes no keys is refused with $key when $because', ({ text, key }) => {
  const additions = { hostname: 'web', sshKeys: ['a'], password: null }
  expect(() => cloudConfigWith(text, additions)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ key }) }),
  )
})

test('a script is passed on unchanged when nothing is to be added', () => {
  const additions = { hostname: 'web', sshKeys: [], password: null }
  expect(cloudConfigWith('#!/bin/sh\necho hello', additions)).toBe('#!/bin/sh\necho hello\n')
})

test.each([
  { text: config('a: 1\n---\nb: 2'), sentence: 'has more than one YAML document' },
  { text: config('}{'), sentence: /^is not valid YAML: .*[^:]$/ },
])('the user data $text is refused with "$sentence"', ({ text, sentence }) => {
  expect(() => mustBeUserData(text)).toThrow(sentence)
})
