import { describe, expect, test } from 'vitest'
import { Fault } from '../../engine/model/fault.ts'
import {
  type ImportRules,
  isRegistryAllowed,
  requireImageReference,
  requireImageUrl,
} from './image.ts'

const strict: ImportRules = {
  allowHttp: false,
  allowPrivate: false,
  allowedHosts: [],
  allowedRegistries: [],
  imagePullPolicy: 'Always',
}
const laptop: ImportRules = { ...strict, allowHttp: true, allowPrivate: true }
const listed: ImportRules = { ...strict, allowedHosts: ['mirror.example.com', '.ubuntu.com'] }

const accepts = (check: () => string): string => {
  try {
    return check()
  } catch (error) {
    if (
      error instanceof Fault &&
      error.code === 'invalid_input' &&
      error.fields[0]?.path === 'image'
    )
      return 'refused'
    throw error
  }
}
const url = (text: string, rules = strict): string => accepts(() => requireImageUrl(text, rules))
const reference = (text: string, rules = strict): string =>
  accepts(() => requireImageReference(text, rules))

describe('the URL of an image', () => {
  test.each([
    { because: 'a plain URL', text: 'https://images.example.com/disk.iso' },
    {
      because: 'a query, as in signed URLs',
      text: 'https://bucket.s3.amazonaws.com/a.iso?X-Amz-Signature=abc&a=b',
    },
    { because: 'a common alternative port', text: 'https://images.example.com:8443/disk.iso' },
    { because: 'a public address', text: 'https://93.184.216.34/disk.iso' },
    {
      because: 'a public IPv6 address',
      text: 'https://[2606:2800:220:1:248:1893:25c8:1946]/disk.iso',
    },
  ])('an image URL is accepted: $because', ({ text }) => expect(url(text)).toBe(text))

  test('an image URL is normalized', () => {
    expect(url('HTTPS://Images.Example.com:443/a/../disk.iso ')).toBe(
      'https://images.example.com/disk.iso',
    )
    expect(url('http://127.1:3000/disk.iso', laptop)).toBe('http://127.0.0.1:3000/disk.iso')
  })

  test.each([
    ...[
      '',
      'disk.iso',
      '//images.example.com/a.iso',
      'https:///a.iso',
      'https:images.example.com/a.iso',
      'https://',
    ].map((text) => ['not a URL', text]),
    ...[
      'http://images.example.com/a.iso',
      'ftp://images.example.com/a',
      'file:///etc/passwd',
      'gopher://x.example.com/',
      'docker://quay.io/a',
      'data:text/plain,a',
    ].map((text) => ['scheme', text]),
    ...[
      'https://user@images.example.com/a',
      'https://user:pass@images.example.com/a',
      'https://:p@images.example.com/a',
      'https://images.example.com@169.254.169.254/',
    ].map((text) => ['credentials', text]),
    ...['https://images.example.com/a#b', 'https://images.example.com/a#'].map((text) => [
      'fragment',
      text,
    ]),
    ...[
      'https://images.example.com:22/a',
      'https://images.example.com:6443/a',
      'https://images.example.com:10250/a',
    ].map((text) => ['port', text]),
    ...[
      'https://localhost/a',
      'https://kubernetes/a',
      'https://nas.local/a',
      'https://metadata.google.internal/a',
      'https://a.b.svc/a',
      'https://a.b.svc.cluster.local/a',
      'https://a.b.svc.example/a',
      'https://foo.localhost/a',
      'https://router.lan/a',
      'https://1.0.0.127.in-addr.arpa/a',
    ].map((text) => ['internal name', text]),
    ...['https://images.example.com./a', 'https://127.0.0.1./a', 'https://localhost./a'].map(
      (text) => ['trailing dot', text],
    ),
    ...[
      'https://127.0.0.1/a',
      'https://127.1/a',
      'https://2130706433/a',
      'https://0x7f000001/a',
      'https://0177.0.0.1/a',
      'https://0x7f.1/a',
      'https://017700000001/a',
      'https://127.0.0.1%2f/a',
    ].map((text) => ['loopback', text]),
    ...['https://0/a', 'https://0.0.0.0/a', 'https://[::]/a'].map((text) => ['this network', text]),
    ...[
      'https://10.0.0.1/a',
      'https://172.16.0.1/a',
      'https://172.31.255.255/a',
      'https://192.168.1.1/a',
      'https://0xc0a80101/a',
      'https://198.18.0.1/a',
    ].map((text) => ['private', text]),
    ...['https://100.64.0.1/a', 'https://100.127.255.255/a'].map((text) => ['carrier NAT', text]),
    ...[
      'https://169.254.169.254/latest',
      'https://2852039166/',
      'https://[fe80::1]/a',
      'https://[fe80::a9fe:a9fe]/',
    ].map((text) => ['link-local', text]),
    ...[
      'https://224.0.0.1/a',
      'https://239.1.1.1/a',
      'https://255.255.255.255/a',
      'https://240.0.0.1/a',
      'https://[ff02::1]/a',
      'https://192.0.2.1/a',
      'https://198.51.100.7/a',
      'https://203.0.113.7/a',
      'https://[2001:db8::1]/a',
    ].map((text) => ['reserved', text]),
    ...[
      'https://[::1]/a',
      'https://[0:0:0:0:0:0:0:1]/a',
      'https://[fc00::1]/a',
      'https://[fd12:3456::1]/a',
      'https://[fec0::1]/a',
    ].map((text) => ['private IPv6', text]),
    ...[
      'https://[::ffff:127.0.0.1]/a',
      'https://[::ffff:10.0.0.1]/a',
      'https://[::ffff:a9fe:a9fe]/',
      'https://[::127.0.0.1]/a',
      'https://[64:ff9b::7f00:1]/a',
      'https://[64:ff9b:1::a00:1]/a',
      'https://[2002:7f00:1::]/a',
      'https://[2001::1]/a',
    ].map((text) => ['embedded IPv4', text]),
    ...[
      'https://images.example.com\\@127.0.0.1/a',
      'https:\\\\127.0.0.1/a',
      'https://images.example.com/a\r\nHost: b',
      'https://images.exam\tple.com/a',
      'https://images.example.com/a b',
      'https://imagés.example.com/a',
      'https://①②⑦.0.0.1/a',
      'https://images.example.com/\u0000',
    ].map((text) => ['read differently by other parsers', text]),
    ['length', `https://images.example.com/${'a'.repeat(2048)}`],
  ])('an image URL is refused: %s %j', (_because, text) => expect(url(text)).toBe('refused'))

  test('an image URL may use HTTP and private hosts when the operator allows both, but never a metadata service', () => {
    for (const text of [
      'http://127.0.0.1:41234/a.iso',
      'https://nas/a.iso',
      'http://192.168.1.2/a',
      'http://[::1]:8000/a',
      'http://[fd00::2]/a',
    ])
      expect(url(text, laptop)).toBe(text)
    for (const text of [
      'http://169.254.169.254/latest',
      'http://[fe80::1]/a',
      'http://0.0.0.0/a',
      'http://[::ffff:169.254.169.254]/',
      'http://u@nas/a',
    ])
      expect(url(text, laptop)).toBe('refused')
  })

  test('an image URL must be on a listed host when a list is configured', () => {
    const good = [
      'https://mirror.example.com/a',
      'https://releases.ubuntu.com/a',
      'https://ubuntu.com/a',
    ]
    expect(good.map((text) => url(text, listed))).toEqual(good)
    for (const text of [
      'https://evil.example.com/a',
      'https://notubuntu.com/a',
      'https://mirror.example.com.evil.com/a',
      'https://x.mirror.example.com/a',
      'https://93.184.216.34/a',
    ])
      expect(url(text, listed)).toBe('refused')
    expect(url('https://10.0.0.1/a', { ...strict, allowedHosts: ['10.0.0.1'] })).toBe('refused')
  })
})

describe('the reference of a container disk', () => {
  const digest = `@sha256:${'a'.repeat(64)}`
  test.each([
    'quay.io/containerdisks/ubuntu:22.04',
    'quay.io/kubevirt/cirros-container-disk-demo',
    `ghcr.io/acme/disk${digest}`,
    `registry.example.com:5000/a/b_c/d:latest${digest}`,
    'library/alpine',
    'alpine:3',
  ])('a container disk reference is accepted: %s', (text) =>
    expect(reference(` ${text} `)).toBe(text),
  )

  test.each([
    '',
    '   ',
    'https://images.example.com/a.iso',
    'HTTP://images.example.com/a.iso',
    'docker://quay.io/a',
    'quay.io/',
    'quay.io/A/b',
    'quay.io/a b',
    'quay.io/a:',
    'quay.io/a:tag:tag',
    'quay.io/a@sha256:abc',
    'quay.io/../a',
    'quay.io//a',
    '-a',
    'a\nb',
    'localhost/a',
    'localhost:5000/a',
    '169.254.169.254/a',
    '127.0.0.1:5000/a',
    '0x7f.1/a',
    '10.0.0.5/a',
    '[::1]:5000/a',
    'registry:5000/a',
    'registry.svc/a',
    `quay.io/${'a'.repeat(260)}`,
  ])('a container disk reference is refused: %j', (text) => expect(reference(text)).toBe('refused'))

  test('a refused reference says that it is missing, or names the source type for URLs', () => {
    expect(() => requireImageReference('http://a.example.com/b.iso', strict)).toThrow(
      /source type iso/,
    )
    expect(() => requireImageReference('', strict)).toThrow('image must not be empty')
    expect(reference('localhost:5000/a', laptop)).toBe('localhost:5000/a')
  })

  test.each([
    ['quay.io/containerdisks/fedora:40', ['quay.io'], true],
    ['quay.io/containerdisks/fedora:40', ['quay.io/containerdisks'], true],
    [`quay.io/containerdisks/fedora${digest}`, ['quay.io/containerdisks/fedora'], true],
    ['quay.io/containerdisks-evil/fedora', ['quay.io/containerdisks'], false],
    ['quay.io.evil.com/containerdisks/fedora', ['quay.io'], false],
    ['quay.io:5000/a', ['quay.io'], false],
    ['QUAY.io/a', ['quay.io'], true],
    ['alpine:3', ['docker.io/library'], true],
    ['kubevirt/fedora', ['docker.io/library'], false],
    ['kubevirt/fedora', ['docker.io'], true],
    ['alpine:3', ['quay.io'], false],
    ['alpine:3', [], true],
  ])('the container disk %s is allowed from %j: %s', (image, allowedRegistries, isAllowed) => {
    expect(isRegistryAllowed(image, { allowedRegistries })).toBe(isAllowed)
    expect(reference(image, { ...strict, allowedRegistries }) === image).toBe(isAllowed)
  })
})
