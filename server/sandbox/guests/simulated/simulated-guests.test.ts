import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clock } from '../../clock.ts'
import { type GuestVmi, type GuestVmiDisk } from '../guest.ts'
import { paceOf } from '../../pace.ts'
import { SimulatedGuests } from './simulated-guests.ts'

let folder: string
let guests: SimulatedGuests
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-guests-'))
  guests = new SimulatedGuests(join(folder, 'guests'), paceOf(1))
})
afterEach(() => {
  guests.close()
  rmSync(folder, { recursive: true, force: true })
})

const disk = (target: string, more: Partial<GuestVmiDisk> = {}): GuestVmiDisk => ({
  name: target,
  target,
  serial: `serial-${target}`,
  bus: 'virtio',
  bytes: 2 ** 30,
  kind: 'disk',
  path: null,
  ...more,
})

const aVmi = (userData: string, more: Partial<GuestVmi> = {}): GuestVmi => ({
  id: 'run-1',
  namespace: 'acme',
  name: 'web-1',
  hostname: 'web-1',
  image: 'fedora:42',
  cpus: 2,
  memoryBytes: 2 ** 30,
  seed: { source: 'NoCloud', userData, networkData: '' },
  disks: [disk('vda')],
  bootDisk: 'vda',
  nics: [{ name: 'default', mac: '02:00:00:00:00:01', address: '10.0.2.2/24' }],
  ...more,
})

const long = 10_000
const log = (): string => guests.logOf('run-1')?.bytes().toString() ?? ''

function booted(userData: string, more: Partial<GuestVmi> = {}): void {
  guests.start(aVmi(userData, more))
  clock.advance(long)
}

/** Types a line and returns the serial output that follows. */
function answer(typed: string): string {
  const before = log().length
  const line = guests.openSerial('run-1', { data: () => undefined, end: () => undefined })
  line?.write(Buffer.from(`${typed}\r`))
  line?.close()
  return log().slice(before)
}

/** Types a line and returns its output without the echo and the next prompt. */
const output = (typed: string): string => answer(typed).split('\r\n').slice(1, -1).join('\n')

const withRoot = '#cloud-config\nchpasswd:\n  list: |\n    root:top\n'

function asRoot(userData = withRoot, more: Partial<GuestVmi> = {}): void {
  booted(userData, more)
  answer('root')
  answer('top')
}

describe('cloud-init', () => {
  test('cloud-init sets the hostname, creates users, writes files and runs commands', () => {
    const userData = `#cloud-config
fqdn: shop.example.com
users:
  - name: ann
    plain_text_passwd: secret
    lock_passwd: false
    sudo: ALL=(ALL) NOPASSWD:ALL
    ssh_authorized_keys: [ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB ann@home]
write_files:
  - path: /etc/motd.d/hello
    content: aGVsbG8=
    encoding: b64
runcmd:
  - echo hi > /srv/x
  - [ sh, -c, "cat /etc/motd.d/hello" ]
final_message: up at $UPTIME
`
    booted(userData)
    expect(log()).toMatch(/SHA256:[\w+/]{43}/)
    expect(log()).toMatch(/cloud-init\[\d+\]: hello\r\n/)
    expect(log()).toMatch(/up at [\d.]+\r\n/)
    expect(log()).toMatch(/shop login: $/)
    answer('ann')
    expect(answer('secret')).toContain('[ann@shop ~]$ ')
    expect(output('sudo cat /srv/x; whoami; hostname')).toBe('hi\nann\nshop.example.com')
  })

  test.each([
    {
      because: 'the header is missing',
      userData: 'hostname: shop\n',
      expected: 'Unhandled non-multipart',
    },
    {
      because: 'the YAML is invalid',
      userData: '#cloud-config\na: [1\n',
      expected: 'Failed loading yaml blob',
    },
    {
      because: 'the root is a list',
      userData: '#cloud-config\n- a\n',
      expected: 'root types, but got',
    },
  ])('cloud-init warns and uses its defaults when $because', ({ userData, expected }) => {
    booted(userData)
    expect(log()).toContain(expected)
    expect(log()).toMatch(/web-1 login: $/)
  })

  test('cloud-init warns of an unwritable file and continues', () => {
    booted(
      '#cloud-config\nwrite_files: [{path: /etc/hostname/x, content: a}, {path: /, content: b}]\nruncmd: [echo went on]\n',
    )
    expect(log()).toContain('/etc/hostname/x: ')
    expect(log()).toContain(': went on\r\n')
  })

  test('cloud-init runs a script once and not again after a reboot', () => {
    booted('#!/bin/sh\necho once >> /srv/runs\ncat /srv/runs\n')
    expect(log()).toContain('cloud-init[612]: once\r\n')
    guests.reboot('run-1', 'reset')
    clock.advance(long)
    expect(log().match(/: once\r\n/g)).toHaveLength(1)
    expect(log().match(/SeaBIOS/g)).toHaveLength(2)
  })

  test.each([
    { because: 'the user has no password', userData: '#cloud-config\n', name: 'fedora' },
    {
      because: 'the password is locked',
      userData: '#cloud-config\nusers: [{name: bob, plain_text_passwd: secret}]\n',
      name: 'bob',
    },
    {
      because: 'the user does not exist',
      userData: '#cloud-config\npassword: secret\n',
      name: 'nobody',
    },
  ])('a login is refused when $because', ({ userData, name }) => {
    booted(userData)
    answer(name)
    expect(answer('secret')).toContain('Login incorrect')
  })

  test.each([
    {
      because: 'openssl passwd -6 -salt saltsalt secret',
      hash: '$6$saltsalt$TVLlQcbpFVof5W3Yz4DTP6gRstiNuHwwTt6GLc1E5n0U0aDehy0S5knV8wiOQSpT0Y77vwPZN.Pq.H91p5hVO1',
    },
    {
      because: 'openssl passwd -5 -salt saltsalt secret',
      hash: '$5$saltsalt$0IyaXrmV7.sGNS6tirgqHLqX/G.FBvgkYA.lpPdS5sA',
    },
  ])('cloud-init accepts a hash in the format of /etc/shadow: $because', ({ hash }) => {
    booted(`#cloud-config\nusers: [{name: bob, lock_passwd: false, hashed_passwd: "${hash}"}]\n`)
    answer('bob')
    expect(answer('wrong')).toContain('Login incorrect')
    answer('bob')
    expect(answer('secret')).toContain('[bob@web-1 ~]$ ')
  })

  test.each(['$6$rounds=999999999$saltsalt$x', '$6$a:b$x', '$6$saltsalt', '$6$', '!'])(
    'a login with the stored hash %s is always refused',
    (hash) => {
      booted(`#cloud-config\nusers: [{name: bob, lock_passwd: false, hashed_passwd: "${hash}"}]\n`)
      answer('bob')
      expect(answer('secret')).toContain('Login incorrect')
    },
  )
})

describe('a shell', () => {
  test.each([
    ['echo "a  $USER" \'$USER\'', 'a  root $USER'],
    ['mkdir -p /srv/a/b && cd /srv/a/b && pwd', '/srv/a/b'],
    ['echo one > f; echo two >> f; cat f', 'one\ntwo'],
    ['cat nothing', 'cat: nothing: No such file or directory'],
    ['false || echo second; true || echo no; echo $?', 'second\n0'],
    ['touch f; rm f; ls', ''],
    ['mkdir d; rm d', "rm: cannot remove 'd': Is a directory"],
    ['nonsense', '-bash: nonsense: command not found'],
    ['false && echo no; echo yes', 'yes'],
    ['echo needle | tee f | grep need', 'needle'],
    ['uname -r', '6.14.0'],
    ['id', /^uid=0\(root\)/],
    ['ip a', /inet 10\.0\.2\.2\/24 scope global eth0/],
    ['ip route', /default via 10\.0\.2\.1 dev eth0/],
    ['lsblk', /vda +1G +disk serial-vda/],
    ['df', /\/dev\/vda1 +10485760/],
    ['free', /^ +total/],
    ['dmesg', /Linux version 6\.14\.0/],
  ])('the shell runs %s', (typed, expected) => {
    asRoot()
    if (typeof expected === 'string') expect(output(typed)).toBe(expected)
    else expect(output(typed)).toMatch(expected)
  })

  test('the terminal recalls the last line, erases characters and cancels a line', () => {
    asRoot()
    output('echo first')
    expect(answer('\u001b[A')).toContain('first\r\n')
    expect(output('echo abx\u007fc')).toBe('abc')
    expect(answer('rm -rf /\u0003echo safe')).toContain('safe\r\n')
  })

  test('a ping of the gateway runs until the user interrupts it', () => {
    asRoot()
    answer('ping 10.0.2.1')
    clock.advance(2_500)
    expect(log()).toContain('icmp_seq=3')
    expect(answer('\u0003')).toContain('0% packet loss')
    expect(output('ping -c 1 10.9.9.9')).toContain('100% packet loss')
  })

  test('the shell exits on Ctrl-D', () => {
    asRoot()
    expect(answer('\u0004')).toMatch(/logout\r\n[^]*login: /)
  })
})

describe('a disk', () => {
  const data = (): GuestVmiDisk => disk('vdb', { path: join(folder, 'data') })

  test('a hotplugged disk can be formatted and keeps its files for the next VMI', () => {
    asRoot()
    expect(output('mount /dev/vdb /mnt')).toContain('does not exist')
    guests.setDisks('run-1', [disk('vda'), data()])
    expect(output('mount /dev/vdb /mnt')).toContain('wrong fs type')
    output('mkfs.ext4 /dev/vdb; mount /dev/vdb /mnt; echo kept > /mnt/note')
    expect(output('lsblk')).toMatch(/vdb .*\/mnt/)
    guests.setDisks('run-1', [disk('vda')])
    expect(output('cat /mnt/note')).toContain('No such file')
    guests.removeFormer({ namespace: 'acme', name: 'web-1' }, undefined)
    asRoot(withRoot, { disks: [disk('vda'), data()] })
    expect(output('mount /dev/vdb /mnt; cat /mnt/note')).toBe('kept')
  })

  test.each([
    { because: 'a volume keeps its files', path: 'root', found: 'kept' },
    {
      because: 'an image is new in the next VMI',
      path: null,
      found: 'cat: note: No such file or directory',
    },
  ])('a guest boots from its root disk: $because', ({ path, found }) => {
    const disks = [disk('vda', { path: path === null ? null : join(folder, path) })]
    asRoot(withRoot, { disks })
    output('echo kept > note')
    guests.removeFormer({ namespace: 'acme', name: 'web-1' }, undefined)
    asRoot(withRoot, { disks })
    expect(output('cat note')).toBe(found)
  })
})

describe('power', () => {
  test.each([
    ['poweroff', 'off'],
    ['shutdown -h now', 'off'],
    ['systemctl poweroff', 'off'],
    ['echo c > /proc/sysrq-trigger', 'crashed'],
    ['reboot', 'on'],
  ] as const)('a guest that runs "%s" is then %s', (typed, power) => {
    asRoot()
    answer(typed)
    clock.advance(long)
    expect(guests.powerOf('run-1')).toBe(power)
  })

  test('a poweroff is refused unless the user is root', () => {
    booted('#cloud-config\npassword: secret\nusers: [default, {name: x}]\n')
    answer('fedora')
    answer('secret')
    expect(answer('poweroff')).toContain('authentication required')
    expect(guests.powerOf('run-1')).toBe('on')
  })

  test('a guest boots again after a restart of the sandbox and continues its log', () => {
    booted('#cloud-config\n')
    guests.close()
    guests = new SimulatedGuests(join(folder, 'guests'), paceOf(1))
    booted('#cloud-config\n')
    expect(log().match(/SeaBIOS/g)).toHaveLength(2)
  })

  test('a guest that is paused continues its boot when it resumes', () => {
    guests.start(aVmi(''))
    guests.setPaused('run-1', true)
    clock.advance(long)
    expect(log()).not.toContain('login:')
    guests.setPaused('run-1', false)
    clock.advance(long)
    expect(log()).toContain('login:')
  })
})

test('the serial log retains at most 256 KiB', () => {
  asRoot()
  output(`echo ${'x'.repeat(3_000)} > f`)
  for (let round = 0; round < 250; round += 1) answer('cat f')
  expect(log().length).toBe(256 * 1024)
})

test.each([
  ['quay.io/kubevirt/cirros-container-disk-demo', /CirrOS/, false],
  ['ubuntu-24.04-root', /Ubuntu 24\.04/, true],
  ['docker.io/library/alpine', /Alpine/, true],
  ['win2022-template', /SAC>$/, true],
])('a guest of the image %s prints %s', (image, expected, hasAgent) => {
  booted('', { image })
  expect(log()).toMatch(expected)
  expect(guests.agentOf('run-1') !== null).toBe(hasAgent)
})
