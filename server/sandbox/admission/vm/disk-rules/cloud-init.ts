import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { causesWhere } from '../rules/rule.ts'

const mostBytes = 2048

interface Data {
  text: string
  base64: string
  secretRef: string
}

/** Inline cloud-init data is limited in size, and has one source. */
export function cloudInitCauses(at: string, volume: JsonMap): Cause[] {
  const type = (['cloudInitNoCloud', 'cloudInitConfigDrive'] as const).find(
    (each) => volume[each] !== undefined,
  )
  if (type === undefined) return []
  const source = read.map(volume[type])
  const field = `${at}.${type}`
  const user = dataIn(source, {
    text: 'userData',
    base64: 'userDataBase64',
    secretRef: 'secretRef',
  })
  const network = dataIn(source, {
    text: 'networkData',
    base64: 'networkDataBase64',
    secretRef: 'networkDataSecretRef',
  })
  const none = `${field} must have at least one userdatasource or one networkdatasource set.`
  return [
    ...dataCauses(field, user, {
      name: 'userData',
      type,
      twice: 'userdatasource',
      reference: 'UserDataSecretRef',
    }),
    ...dataCauses(field, network, {
      name: 'networkData',
      type,
      twice: 'networkdata source',
      reference: 'NetworkDataSecretRef',
    }),
    ...causesWhere([countOf(user) === 0 && countOf(network) === 0, cause.wrong(field, none)]),
  ]
}

const dataIn = (source: JsonMap, keys: Data): Data => ({
  text: read.text(source[keys.text]),
  base64: read.text(source[keys.base64]),
  secretRef: read.text(read.at(source[keys.secretRef], 'name')),
})

const countOf = (data: Data): number => Object.values(data).filter((each) => each !== '').length

interface DataNames {
  name: string
  type: string
  twice: string
  reference: string
}

function dataCauses(
  field: string,
  data: Data,
  { name, type, twice, reference }: DataNames,
): Cause[] {
  const encoded = `${field}.${name}Base64`
  const bytes =
    data.text === '' ? Buffer.from(data.base64, 'base64').length : Buffer.byteLength(data.text)
  return causesWhere(
    [
      !isBase64(data.base64),
      cause.wrong(encoded, `${encoded}.${type}.${name}Base64 is not a valid base64 value.`),
    ],
    [countOf(data) > 1, cause.wrong(field, `${field} must have only one ${twice} set.`)],
    [
      bytes > mostBytes,
      cause.wrong(
        field,
        `${field} ${name.toLowerCase()} exceeds ${mostBytes} byte limit. Should use ${reference} for larger data.`,
      ),
    ],
  )
}

/** True for valid base64, which may have line breaks. */
const isBase64 = (text: string): boolean =>
  /^([A-Za-z\d+/]{4})*([A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text.replaceAll(/[\r\n]/g, ''))
