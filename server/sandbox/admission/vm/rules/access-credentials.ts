import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Rule, found, parts } from './rule.ts'

/** Keys and passwords that KubeVirt brings into a guest. */
export const accessCredentials: Rule = (asked) => {
  const volumes = parts.volumes(asked)
  const has: Has = {
    noCloud: volumes.some(({ cloudInitNoCloud }) => cloudInitNoCloud !== undefined),
    configDrive: volumes.some(({ cloudInitConfigDrive }) => cloudInitConfigDrive !== undefined),
  }
  return read
    .maps(asked.spec.accessCredentials)
    .flatMap(({ sshPublicKey, userPassword }, index) => {
      const at = `${asked.at}.accessCredentials[${index}]`
      const given = [sshPublicKey, userPassword].filter((each) => each !== undefined)
      return [
        ...(sshPublicKey === undefined ? [] : keyCauses(at, read.map(sshPublicKey), has)),
        ...(userPassword === undefined
          ? []
          : wayCauses({ at, field: `${at}.userPassword` }, read.map(userPassword), [
              'qemuGuestAgent',
            ])),
        ...found([
          given.length !== 1,
          cause.wrong(at, `${at} must have exactly one access credential type set`),
        ]),
      ]
    })
}

interface Has {
  noCloud: boolean
  configDrive: boolean
}

function keyCauses(at: string, key: JsonMap, has: Has): Cause[] {
  const field = `${at}.sshPublicKey`
  const way = read.map(key.propagationMethod)
  const needsVolume = (method: keyof Has): Cause[] =>
    found([
      way[method] !== undefined && !has[method],
      cause.wrong(
        `${field}.propagationMethod`,
        `${at} requires a ${method} volume to exist when the ${method} propagationMethod is in use.`,
      ),
    ])
  const isForNobody =
    way.qemuGuestAgent !== undefined &&
    read.texts(read.at(way.qemuGuestAgent, 'users')).length === 0
  return [
    ...needsVolume('noCloud'),
    ...needsVolume('configDrive'),
    ...found([
      isForNobody,
      cause.wrong(
        `${field}.propagationMethod.qemuGuestAgent.users`,
        `${at} requires at least one user to be present in the users list`,
      ),
    ]),
    ...wayCauses({ at, field }, key, ['noCloud', 'configDrive', 'qemuGuestAgent']),
  ]
}

function wayCauses(
  { at, field }: { at: string; field: string },
  credential: JsonMap,
  methods: readonly string[],
): Cause[] {
  const used = methods.filter(
    (method) => read.at(credential.propagationMethod, method) !== undefined,
  ).length
  return found(
    [
      read.at(credential.source, 'secret') === undefined,
      cause.wrong(`${field}.source`, `${at} must have exactly one source set`),
    ],
    [
      used !== 1,
      cause.wrong(
        `${field}.propagationMethod`,
        `${at} must have exactly one propagationMethod set`,
      ),
    ],
  )
}
