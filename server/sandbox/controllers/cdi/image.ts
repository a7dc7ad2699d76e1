/**
 * Detects the disk in a downloaded file from its first bytes; returns an error message when it has
 * none.
 */
export function detectDisk(
  head: Buffer,
  bytes: number,
  name: string,
): { virtualBytes: number } | string {
  if (bytes === 0) return 'qemu-img: the source image is empty'
  if (head.subarray(0, 4).equals(Buffer.from('QFI\xfb', 'latin1'))) return qcow2(head)
  // Compressed images count with their own size: the sandbox does not unpack them.
  const isPacked = packed.some((magic) => head.subarray(0, magic.length).equals(magic))
  if (isPacked || isIso(head) || isRaw(head)) return { virtualBytes: bytes }
  const text = head.subarray(0, 512).toString('latin1')
  const isPage = /^\s*(<!doctype html|<html|<\?xml|[{[])/i.test(text)
  return isPage ? `${name} is not an image: the server sent a text` : { virtualBytes: bytes }
}

const packed = [
  Buffer.from([0x1f, 0x8b]),
  Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
]

/** Bytes 24 to 31 of the header are the virtual size of the disk. */
const qcow2 = (head: Buffer): { virtualBytes: number } | string =>
  head.length < 72
    ? 'qemu-img: Could not open image: the qcow2 header is cut off'
    : { virtualBytes: Number(head.readBigUInt64BE(24)) }

const isIso = (head: Buffer): boolean =>
  head.subarray(0x8001, 0x8006).toString('latin1') === 'CD001'
const isRaw = (head: Buffer): boolean => head[510] === 0x55 && head[511] === 0xaa
