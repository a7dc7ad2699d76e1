import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

const wrong = (field: string, message: string): Cause => ({
  reason: 'FieldValueInvalid',
  message,
  field,
})

/** Validates the source of a DataVolume's content. */
export function sourceCauses({ object }: WebhookRequest): Cause[] {
  const spec = read.spec(object)
  const target = read.map(spec.pvc ?? spec.storage)
  const isPopulated = target.dataSource !== undefined || target.dataSourceRef !== undefined
  const sourceCount = [spec.source !== undefined, spec.sourceRef !== undefined, isPopulated].filter(
    Boolean,
  ).length
  if (sourceCount !== 1)
    return [
      wrong(
        'spec.source',
        'Data volume should have either Source or SourceRef, or be externally populated',
      ),
    ]
  if (spec.sourceRef !== undefined) return refCauses(read.map(spec.sourceRef))
  if (isPopulated) return []
  const [first, ...moreSources] = Object.entries(read.map(spec.source))
  if (!first) return [wrong('spec.source', 'Missing Data volume source')]
  if (moreSources.length > 0) return [wrong('spec.source', 'Multiple Data volume sources')]
  return causesOf(first[0], read.map(first[1]), spec.contentType === 'archive')
}

function refCauses({ kind, name }: JsonMap): Cause[] {
  if (kind === undefined || kind === '')
    return [wrong('spec.sourceRef.Kind', 'Missing sourceRef kind')]
  const text = `Unsupported sourceRef kind ${String(kind)}, currently only DataSource is supported`
  if (kind !== 'DataSource') return [wrong('spec.sourceRef.Kind', text)]
  return read.text(name) === '' ? [wrong('spec.sourceRef.Name', 'Missing sourceRef name')] : []
}

function causesOf(kind: string, source: JsonMap, isArchive: boolean): Cause[] {
  const url = read.text(source.url)
  const why = (name: string, problem: string | null): Cause[] =>
    problem === null ? [] : [wrong(`spec.source.${name}.url`, `spec.source ${problem}`)]
  if (kind === 'http') return [...why('HTTP', urlProblem(url)), ...checksumCauses(source.checksum)]
  if (kind === 's3') return why('S3', urlProblem(url))
  if (kind === 'gcs') return why('GCS', urlProblem(url, ['http:', 'https:', 'gs:']))
  if (kind === 'registry') return registryCauses(source, isArchive)
  if (kind === 'imageio') return imageioCauses(source)
  if (kind === 'blank' && isArchive)
    return [wrong('spec.contentType', 'SourceType cannot be blank and the contentType be archive')]
  return []
}

function urlProblem(url: string, schemes: readonly string[] = ['http:', 'https:']): string | null {
  if (url === '') return 'source URL is empty'
  // A request URI begins with a scheme or a slash.
  if (!/^([a-zA-Z][a-zA-Z0-9+.-]*:|\/)/.test(url) || /[\s\x7f]/.test(url))
    return `Invalid source URL: ${url}`
  const [scheme = ''] = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(url) ?? []
  return schemes.includes(scheme.toLowerCase()) ? null : `Invalid source URL scheme: ${url}`
}

const hexDigits: Readonly<Record<string, number>> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 }

function checksumCauses(checksum: JsonMap[string]): Cause[] {
  if (typeof checksum !== 'string' || checksum === '') return []
  const why = checksumProblem(checksum)
  return why === null ? [] : [wrong('spec.source.HTTP.checksum', `Invalid checksum format: ${why}`)]
}

function checksumProblem(checksum: string): string | null {
  const [algorithm = '', hash, ...more] = checksum.split(':')
  if (hash === undefined || more.length > 0)
    return `invalid checksum format: expected 'algorithm:hash', got '${checksum}'`
  const kind = algorithm.toLowerCase()
  const digits = hexDigits[kind]
  if (digits === undefined)
    return `unsupported checksum algorithm: ${kind} (supported: md5, sha1, sha256, sha512)`
  if (hash.length !== digits)
    return `invalid ${kind} hash length: expected ${digits} hex characters, got ${hash.length}`
  return /^[0-9a-f]+$/i.test(hash)
    ? null
    : `invalid ${kind} hash: must contain only hexadecimal characters`
}

function registryCauses({ url, imageStream, pullMethod }: JsonMap, isArchive: boolean): Cause[] {
  const at = (field: string): string => `spec.source.Registry.${field}`
  if (isArchive)
    return [wrong('spec.contentType', 'ContentType must be kubevirt when Source is Registry')]
  const hasStream = read.text(imageStream) !== ''
  if ((read.text(url) !== '') === hasStream)
    return [wrong(at('URL'), 'Source registry should have either URL or ImageStream')]
  if (!['', 'pod', 'node'].includes(read.text(pullMethod))) {
    return [
      wrong(
        at('importMethod'),
        `ImportMethod ${String(pullMethod)} is neither ${'pod'}, ${'node'} or ""`,
      ),
    ]
  }
  if (hasStream) {
    const message = 'Source registry ImageStream is supported only with node pull import method'
    return pullMethod === 'node' ? [] : [wrong(at('importMethod'), message)]
  }
  const isKnown = /^(docker|oci-archive):/.test(read.text(url))
  return isKnown ? [] : [wrong(at('URL'), `Illegal registry source URL scheme ${String(url)}`)]
}

function imageioCauses({ secretRef, certConfigMap, diskId }: JsonMap): Cause[] {
  const isFull = [secretRef, certConfigMap, diskId].every((each) => read.text(each) !== '')
  return isFull
    ? []
    : [
        wrong(
          'spec.source.Imageio',
          'spec.source Imageio source is not configured properly: secretRef, certConfigMap and diskId are needed',
        ),
      ]
}
