import {
  array,
  boolean,
  check,
  forward,
  nonEmpty,
  object,
  partialCheck,
  picklist,
  pipe,
  string,
  trim,
} from 'valibot'
import type { InferInput } from 'valibot'
import type { VariablesOf } from '../../api/graphql.ts'
import type { createVmDocument } from '../../api/vm/deploy.ts'
import { wholeNumber, atMost } from '../../composables/fields.ts'
import { configProblem } from '../../format/cloud-config.ts'
import { longestName, slugFromName } from '../../format/slug.ts'
import { t } from '../../i18n/t.ts'

const fields = object({
  templateId: pipe(
    string(),
    nonEmpty(() => t('Choose what it is made from')),
  ),
  sizedBy: picklist(['offering', 'custom']),
  serviceOfferingId: string(),
  cpu: wholeNumber({ most: 256, unit: 'vCPU' }),
  memoryMi: wholeNumber({ most: 4_194_304, unit: 'MiB' }),
  name: pipe(
    string(),
    trim(),
    nonEmpty(() => t('Give it a name')),
    atMost(50),
  ),
  bootDiskSizeGi: wholeNumber({ most: 65_536, unit: 'GiB' }),
  rootDisk: picklist(['persistent', 'ephemeral']),
  sshKeyIds: array(string()),
  cloudInitPassword: pipe(
    string(),
    check(
      (text) => text === '' || text.length >= 8,
      () => t('At least 8 characters'),
    ),
  ),
  securityGroupIds: array(string()),
  podNetwork: boolean(),
  networkIds: array(string()),
  publicIp: boolean(),
  dataVolumeId: string(),
  cloudInitUserData: string(),
  deleteProtection: boolean(),
  secureBoot: boolean(),
  start: boolean(),
})

const addsTo = (values: { sshKeyIds: string[]; cloudInitPassword: string }) =>
  values.sshKeyIds.length > 0 || values.cloudInitPassword !== ''

export const cloudProblem = (values: {
  sshKeyIds: string[]
  cloudInitPassword: string
  cloudInitUserData: string
}) => configProblem(values.cloudInitUserData, { adds: addsTo(values) })

export const deploySchema = pipe(
  fields,
  forward(
    partialCheck(
      [['name']],
      ({ name }) => slugFromName(name) !== '',
      () => t('It needs a letter or a digit'),
    ),
    ['name'],
  ),
  forward(
    partialCheck(
      [['sizedBy'], ['serviceOfferingId']],
      ({ sizedBy, serviceOfferingId }) => sizedBy === 'custom' || serviceOfferingId !== '',
      () => t('Choose a size'),
    ),
    ['serviceOfferingId'],
  ),
  forward(
    partialCheck(
      [['podNetwork'], ['networkIds'], ['publicIp']],
      ({ podNetwork, networkIds, publicIp }) => podNetwork || publicIp || networkIds.length > 0,
      () => t('It needs one network at least'),
    ),
    ['networkIds'],
  ),
  forward(
    partialCheck(
      [['sshKeyIds'], ['cloudInitPassword'], ['cloudInitUserData']],
      (values) => cloudProblem(values) === null,
      () => t('Cloud-init would not understand this'),
    ),
    ['cloudInitUserData'],
  ),
)

export type DeployValues = InferInput<typeof fields>

export const emptyDeploy: DeployValues = {
  templateId: '',
  sizedBy: 'offering',
  serviceOfferingId: '',
  cpu: '2',
  memoryMi: '4096',
  name: '',
  bootDiskSizeGi: '32',
  rootDisk: 'persistent',
  sshKeyIds: [],
  cloudInitPassword: '',
  securityGroupIds: [],
  podNetwork: true,
  networkIds: [],
  publicIp: false,
  dataVolumeId: '',
  cloudInitUserData: '',
  deleteProtection: false,
  secureBoot: false,
  start: true,
}

export type CreateVmInput = VariablesOf<typeof createVmDocument>['input']

/**
 * Builds the input of the mutation. Values that equal the server's defaults are omitted, so that
 * the equivalent API call stays short.
 */
export function inputFrom(
  values: DeployValues,
  { readsCloudInit }: { readsCloudInit: boolean },
): CreateVmInput {
  const name = slugFromName(values.name, longestName)
  const displayName = values.name.trim()
  return {
    name,
    ...(displayName !== name && { displayName }),
    templateId: values.templateId,
    ...sizeFrom(values),
    bootDiskSizeGi: Number(values.bootDiskSizeGi),
    ...(values.rootDisk === 'ephemeral' && { rootDisk: values.rootDisk }),
    ...(values.dataVolumeId && { dataVolumeId: values.dataVolumeId }),
    ...networksFrom(values),
    ...(readsCloudInit ? guestFrom(values) : {}),
    ...switchesFrom(values),
  }
}

function sizeFrom({ sizedBy, serviceOfferingId, cpu, memoryMi }: DeployValues) {
  return sizedBy === 'offering'
    ? { serviceOfferingId }
    : { cpu: Number(cpu), memoryMi: Number(memoryMi) }
}

function networksFrom({ podNetwork, networkIds, publicIp, securityGroupIds }: DeployValues) {
  return {
    ...(podNetwork ? {} : { podNetwork }),
    // Without the list the server may choose a network itself.
    networkIds,
    ...(publicIp && { publicIp }),
    ...(securityGroupIds.length > 0 && { securityGroupIds }),
  }
}

function guestFrom({ sshKeyIds, cloudInitPassword, cloudInitUserData }: DeployValues) {
  return {
    ...(sshKeyIds.length > 0 && { sshKeyIds }),
    ...(cloudInitPassword && { cloudInitPassword }),
    ...(cloudInitUserData.trim() && { cloudInitUserData }),
  }
}

function switchesFrom({ deleteProtection, secureBoot, start }: DeployValues) {
  return {
    ...(deleteProtection && { deleteProtection }),
    ...(secureBoot && { secureBoot }),
    ...(start ? {} : { start }),
  }
}
