import { clock } from '../../clock.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { ownedBy } from '../owners.ts'
import { names } from '../../objects/storage/names.ts'

interface ClassRow {
  name: string
  driver: string
  mode: 'Immediate' | 'WaitForFirstConsumer'
  canGrow: boolean
  annotations: Record<string, string>
  /** Access modes in CDI's order of preference. */
  accessModes: readonly string[]
}

const classes: readonly ClassRow[] = [
  {
    name: 'fast',
    driver: names.driver,
    mode: 'Immediate',
    canGrow: true,
    accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
    annotations: { [names.defaultClass]: 'true' },
  },
  {
    name: 'fast-wffc',
    driver: names.driver,
    mode: 'WaitForFirstConsumer',
    canGrow: true,
    annotations: {},
    accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
  },
  {
    name: 'local-path',
    driver: names.localDriver,
    mode: 'WaitForFirstConsumer',
    canGrow: false,
    annotations: {},
    accessModes: ['ReadWriteOnce'],
  },
]

/**
 * Creates storage classes, CSI drivers, the snapshot class, and the CDI objects that describe them.
 */
export function seedStorage(client: Client): void {
  for (const each of classes) ensure(client, names.classes, storageClass(each))
  for (const name of [names.driver, names.localDriver]) {
    ensure(client, 'csidrivers.storage.k8s.io', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name },
      spec: { attachRequired: false, podInfoOnMount: false, volumeLifecycleModes: ['Persistent'] },
    })
  }
  ensure(client, names.snapshotClasses, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    driver: names.driver,
    deletionPolicy: 'Delete',
    metadata: { name: 'fast-snap', annotations: { [names.defaultSnapshotClass]: 'true' } },
  })
  seedCdi(client)
}

function ensure(client: Client, kind: string, object: KubeObject): KubeObject {
  return client.get(kind, undefined, object.metadata.name) ?? client.create(kind, object)
}

const storageClass = ({ name, driver, mode, canGrow, annotations }: ClassRow): KubeObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations },
  provisioner: driver,
  reclaimPolicy: 'Delete',
  volumeBindingMode: mode,
  ...(canGrow ? { allowVolumeExpansion: true } : {}),
})

const cdiVersion = 'cdi.kubevirt.io/v1beta1'

/** The status that the operator of CDI reports when all components run. */
function deployed(): JsonMap {
  const version = 'v1.66.0'
  const now = clock.timestamp()
  const condition = (type: string, status: string): JsonMap => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  return {
    phase: 'Deployed',
    observedVersion: version,
    operatorVersion: version,
    targetVersion: version,
    conditions: [
      {
        ...condition('Available', 'True'),
        reason: 'DeployCompleted',
        message: 'Deployment Completed',
      },
      condition('Progressing', 'False'),
      condition('Degraded', 'False'),
    ],
  }
}

function seedCdi(client: Client): void {
  const cdi = ensure(client, names.cdis, {
    apiVersion: cdiVersion,
    kind: 'CDI',
    metadata: { name: 'cdi' },
    spec: { config: {} },
  })
  if (cdi.status === undefined) client.setStatus(names.cdis, cdi, deployed())
  const owned = {
    labels: { ...names.cdiLabels, 'cdi.kubevirt.io': '' },
    ownerReferences: [ownedBy(cdi)],
  }
  ensure(client, 'cdiconfigs.cdi.kubevirt.io', {
    apiVersion: cdiVersion,
    kind: 'CDIConfig',
    metadata: { name: 'config', ...owned },
    spec: {},
    status: {
      filesystemOverhead: {
        global: '0.06',
        storageClass: Object.fromEntries(classes.map(({ name }) => [name, '0.06'])),
      },
      preallocation: false,
      scratchSpaceStorageClass: 'fast',
      defaultPodResourceRequirements: {
        limits: { cpu: '750m', memory: '600M' },
        requests: { cpu: '100m', memory: '60M' },
      },
    },
  })
  for (const each of classes) {
    const made = ensure(client, names.profiles, profile(each, owned))
    // CDI creates the profile of a class, and an operator adds its capabilities.
    const configured =
      made.status === undefined
        ? client.change(names.profiles, made, {
            ...made,
            spec: { claimPropertySets: claimPropertySets(each) },
          })
        : made
    if (configured.status === undefined)
      client.setStatus(names.profiles, configured, profileStatus(each))
  }
}

const claimPropertySets = ({ accessModes }: ClassRow): Json[] =>
  accessModes.map((mode) => ({ accessModes: [mode], volumeMode: 'Filesystem' }))

const profile = (each: ClassRow, owned: JsonMap): KubeObject => ({
  apiVersion: cdiVersion,
  kind: 'StorageProfile',
  metadata: { ...owned, name: each.name },
  spec: {},
})

function profileStatus(each: ClassRow): JsonMap {
  const now = clock.timestamp()
  const hasSnapshots = each.driver === names.driver
  return {
    claimPropertySets: claimPropertySets(each),
    cloneStrategy: hasSnapshots ? 'snapshot' : 'copy',
    conditions: [
      {
        type: 'Recognized',
        status: 'False',
        reason: 'UnrecognizedProvisioner',
        message: 'Provisioner is not recognized',
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
    dataImportCronSourceFormat: 'pvc',
    provisioner: each.driver,
    storageClass: each.name,
    ...(hasSnapshots ? { snapshotClass: 'fast-snap' } : {}),
  }
}
