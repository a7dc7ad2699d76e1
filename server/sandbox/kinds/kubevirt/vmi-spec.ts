import {
  atMost,
  atomicList,
  atomicTexts,
  each,
  empty,
  flag,
  int32,
  int64,
  list,
  listBy,
  object,
  setOf,
  structOf,
  text,
  textMap,
} from '../../objects/schema.ts'
import { affinity, httpGet, spreadConstraint, tcpSocket, tolerations } from '../shared.ts'
import { domain } from './domain.ts'
import { volume } from './volumes.ts'

const secretSource = object({ secret: object({ secretName: text }, 'secretName') })

const accessCredential = object({
  sshPublicKey: object(
    {
      propagationMethod: object({
        ...each(empty, 'configDrive', 'noCloud'),
        qemuGuestAgent: object({ users: setOf(text) }, 'users'),
      }),
      source: secretSource,
    },
    'propagationMethod',
    'source',
  ),
  userPassword: object(
    { propagationMethod: structOf(empty, 'qemuGuestAgent'), source: secretSource },
    'propagationMethod',
    'source',
  ),
})

const probe = object({
  exec: object({ command: atomicTexts }),
  guestAgentPing: empty,
  httpGet,
  tcpSocket,
  ...each(
    int32,
    'failureThreshold',
    'initialDelaySeconds',
    'periodSeconds',
    'successThreshold',
    'timeoutSeconds',
  ),
})

const network = object(
  {
    name: text,
    multus: object({ default: flag, networkName: text }, 'networkName'),
    pod: structOf(text, 'vmIPv6NetworkCIDR', 'vmNetworkCIDR'),
    resourceClaim: structOf(text, 'claimName', 'requestName'),
  },
  'name',
)

const utilityVolume = object(
  { ...each(text, 'claimName', 'name', 'type'), readOnly: flag },
  'claimName',
  'name',
)

/** The spec of a VMI, which is also the spec in the template of a VM. */
export const vmiSpec = object(
  {
    ...each(
      text,
      'architecture',
      'dnsPolicy',
      'evictionStrategy',
      'hostname',
      'priorityClassName',
      'schedulerName',
      'serviceAccountName',
      'startStrategy',
      'subdomain',
    ),
    accessCredentials: atMost(256, atomicList(accessCredential)),
    affinity,
    dnsConfig: object({
      ...each(atomicTexts, 'nameservers', 'searches'),
      options: atomicList(structOf(text, 'name', 'value')),
    }),
    domain,
    livenessProbe: probe,
    readinessProbe: probe,
    networks: atMost(256, list(network)),
    nodeSelector: textMap,
    resourceClaims: listBy(
      ['name'],
      object(each(text, 'name', 'resourceClaimName', 'resourceClaimTemplateName'), 'name'),
    ),
    terminationGracePeriodSeconds: int64,
    tolerations,
    topologySpreadConstraints: listBy(['topologyKey', 'whenUnsatisfiable'], spreadConstraint),
    utilityVolumes: atMost(256, listBy(['name'], utilityVolume)),
    volumes: atMost(256, list(volume)),
  },
  'domain',
)
