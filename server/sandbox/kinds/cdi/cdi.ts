import { type Schema } from '../../objects/resource.ts'
import {
  anything,
  each,
  empty,
  flag,
  int32,
  list,
  listBy,
  mapOf,
  nullable,
  object,
  oneOf,
  quantities,
  structOf,
  text,
  textMap,
  texts,
} from '../../objects/schema.ts'
import { certificateTerm, componentPatches, nodePlacement, tlsVersion } from '../operators.ts'
import { localReference } from '../shared.ts'
import { condition } from './common.ts'

/* Schemas of the kinds CDI and CDIConfig, as CDI's CRDs declare them. */

const fraction: Schema = { ...text, pattern: String.raw`^(0(?:\.\d{1,3})?|1)$` }

const tlsSecurityProfile = object({
  custom: nullable(
    object({ ciphers: texts, minTLSVersion: tlsVersion }, 'ciphers', 'minTLSVersion'),
  ),
  ...each(nullable(empty), 'intermediate', 'modern', 'old'),
  type: oneOf('Old', 'Intermediate', 'Modern', 'Custom'),
})

const cdiConfig = object({
  ...each(int32, 'dataVolumeTTLSeconds', 'logVerbosity'),
  ...each(texts, 'featureGates', 'insecureRegistries'),
  filesystemOverhead: object({ global: fraction, storageClass: mapOf(fraction) }),
  imagePullSecrets: list(localReference),
  importProxy: structOf(text, 'HTTPProxy', 'HTTPSProxy', 'noProxy', 'trustedCAProxy'),
  podResourceRequirements: object({
    claims: listBy(['name'], object(each(text, 'name', 'request'), 'name')),
    ...each(quantities, 'limits', 'requests'),
  }),
  preallocation: flag,
  ...each(text, 'scratchSpaceStorageClass', 'uploadProxyURLOverride', 'webhookPvcRendering'),
  tlsSecurityProfile,
})

export const cdi = object(
  {
    spec: object({
      certConfig: structOf(certificateTerm, 'ca', 'client', 'server'),
      cloneStrategyOverride: oneOf('copy', 'snapshot', 'csi-clone'),
      config: cdiConfig,
      customizeComponents: object({
        flags: structOf(textMap, 'api', 'controller', 'uploadProxy'),
        patches: componentPatches,
      }),
      imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
      infra: object({
        ...nodePlacement.properties,
        ...each(int32, 'apiServerReplicas', 'deploymentReplicas', 'uploadProxyReplicas'),
      }),
      priorityClass: text,
      uninstallStrategy: oneOf('RemoveWorkloads', 'BlockUninstallIfWorkloadsExist'),
      workload: nodePlacement,
    }),
    status: object({
      conditions: list(condition),
      ...each(text, 'observedVersion', 'operatorVersion', 'phase', 'targetVersion'),
    }),
  },
  'spec',
)

/** The status is open because only CDI's operator writes it. */
export const cdiConfigObject = object({ spec: cdiConfig, status: anything }, 'spec')
