import { expect, test } from 'vitest'
import { programOf } from './program.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  {
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    name: 'Chrome',
    system: 'Linux',
  },
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    name: 'Edge',
    system: 'Windows',
  },
  {
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 15.6; rv:145.0) Gecko/20100101 Firefox/145.0',
    name: 'Firefox',
    system: 'macOS',
  },
  {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    name: 'Safari',
    system: 'iOS',
  },
  {
    userAgent: `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    name: 'Chrome',
    system: 'Android',
  },
  { userAgent: 'curl/8.14.1', name: 'curl 8.14.1', system: null },
  {
    userAgent: 'Terraform/1.11.0 (+https://www.terraform.io)',
    name: 'Terraform 1.11.0',
    system: null,
  },
])('the user agent of $name is shown as $name on $system', ({ userAgent, name, system }) => {
  expect(programOf(userAgent)).toEqual({ name, system })
})

test('an empty user agent names no program', () => {
  expect(programOf(' ')).toBeNull()
})
