import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Rule, causesWhere, parts } from './rule.ts'

/** Validates SSH keys and passwords that KubeVirt installs in a guest. */
export const accessCredentials: Rule = (context) => {
  const volumes = parts.volumes(context)
  const present: CloudInitVolumes = {
    noCloud: volumes.some(({ cloudInitNoCloud }) => cloudInitNoCloud !== undefined),
    configDrive: volumes.some(({ cloudInitConfigDrive }) => cloudInitConfigDrive !== undefined),
  }
  return read
    .maps(context.spec.accessCredentials)
    .flatMap(({ sshPublicKey, userPassword }, index) => {
      const at = `${context.at}.accessCredentials[${index}]`
      const types = [sshPublicKey, userPassword].filter((each) => each !== undefined)
      return [
        ...(sshPublicKey === undefined ? [] : keyCauses(at, read.map(sshPublicKey), present)),
        ...(userPassword === undefined
          ? []
          : credentialCauses({ at, field: `${at}.userPassword` }, read.map(userPassword), [
              'qemuGuestAgent',
            ])),
        ...causesWhere([
          types.length !== 1,
          cause.wrong(at, `${at} must have exactly one access credential type set`),
        ]),
      ]
    })
}

interface CloudInitVolumes {
  noCloud: boolean
  configDrive: boolean
}

function keyCauses(at: string, key: JsonMap, present: CloudInitVolumes): Cause[] {
  const field = `${at}.sshPublicKey`
  const chosen = read.map(key.propagationMethod)
  const needsVolume = (method: keyof CloudInitVolumes): Cause[] =>
    causesWhere([
      chosen[method] !== undefined && !present[method],
      cause.wrong(
        `${field}.propagationMethod`,
        `${at} requires a ${method} volume to exist when the ${method} propagationMethod is in use.`,
      ),
    ])
  const hasNoUsers =
    chosen.qemuGuestAgent !== undefined &&
    read.texts(read.at(chosen.qemuGuestAgent, 'users')).length === 0
  return [
    ...needsVolume('noCloud'),
    ...needsVolume('configDrive'),
    ...causesWhere([
      hasNoUsers,
      cause.wrong(
        `${field}.propagationMethod.qemuGuestAgent.users`,
        `${at} requires at least one user to be present in the users list`,
      ),
    ]),
    ...credentialCauses({ at, field }, key, ['noCloud', 'configDrive', 'qemuGuestAgent']),
  ]
}

function credentialCauses(
  { at, field }: { at: string; field: string },
  credential: JsonMap,
  methods: readonly string[],
): Cause[] {
  const used = methods.filter(
    (method) => read.at(credential.propagationMethod, method) !== undefined,
  ).length
  return causesWhere(
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
