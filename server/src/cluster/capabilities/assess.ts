import {
  available,
  type Capabilities,
  type Feature,
  type FeatureName,
  unavailable,
} from './capabilities.ts'
import { defaultVcpusPerCore } from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type NetworkDriver, mapDrivers, traitsOf } from '../../domain/network/driver.ts'
import { attachmentPolicies } from '../../domain/network/attachment-policies.ts'
import { assessNics } from './assess-nics.ts'
import { assessSnapshotClass, assessStorageClass } from './assess-storage.ts'
import { numberAt } from '../vm/conditions.ts'
import { fieldAt, textAt, textsAt } from '../../engine/kube/field-at.ts'
import { type Message, messageOf, textMessage } from '../../engine/model/message.ts'

/** The cluster's raw answers, not validated. Null means that an object does not exist. */
export interface ClusterFacts {
  version: unknown
  /** Served API versions as `group/version`. */
  served: ReadonlySet<string>
  /**
   * True when KubeVirt's subresource API answers. Unlike its CRDs, it needs a running KubeVirt
   * component.
   */
  kubevirtAnswers: boolean
  kubevirt: unknown
  cdi: unknown
  storageClasses: readonly unknown[]
  storageProfiles: readonly unknown[]
  snapshotClasses: readonly unknown[]
  admissionPolicies: readonly unknown[]
  admissionBindings: readonly unknown[]
  /** At most two schedulable nodes. */
  nodes: readonly unknown[]
  /** The addresses of all nodes and of the API server. */
  ownAddresses: readonly string[]
  /** The missing right to each list that Berth may not read, by the plural of its kind. */
  refused: ReadonlyMap<string, Message>
}

/** A list that Berth may not read tells nothing. The reason is then the missing right. */
function unreadable({ refused }: ClusterFacts, plural: string): Feature | null {
  const reason = refused.get(plural)
  return reason ? unavailable(reason) : null
}

/**
 * Derives the capabilities from the facts. Pure, so that every kind of cluster can be a row of a
 * test.
 */
export function assess(facts: ClusterFacts): Omit<Capabilities, 'missingRights'> {
  const kubevirt = textAt(facts.kubevirt, 'status', 'observedKubeVirtVersion')
  const hotplugBy = hotplugIn(facts)
  const abilities = {
    profiles: facts.storageProfiles,
    profilesRefused: unreadable(facts, 'storageprofiles'),
    hasCdi: hasKind(facts, 'cdi.kubevirt.io/v1beta1'),
  }
  return {
    versions: {
      kubernetes: textAt(facts.version, 'gitVersion'),
      kubevirt,
      cdi: textAt(facts.cdi, 'status', 'observedVersion'),
    },
    features: featuresIn(facts, hotplugBy),
    nicObstacles: nicsIn(facts).obstacles,
    ownAddresses: facts.ownAddresses,
    vcpusPerCore: vcpusPerCoreIn(facts),
    guestState: guestStateIn(facts),
    hotplugBy,
    networks: networksIn(facts),
    storageClasses: unreadable(facts, 'storageclasses')
      ? null
      : facts.storageClasses.map((each) => assessStorageClass(each, abilities)),
    snapshotClasses: facts.snapshotClasses.map(assessSnapshotClass),
    snapshotClassesRefused: facts.refused.get('volumesnapshotclasses') ?? null,
  }
}

const hasKind = ({ served }: ClusterFacts, groupVersion: string): boolean =>
  served.has(groupVersion)

function featuresIn(
  facts: ClusterFacts,
  hotplugBy: Capabilities['hotplugBy'],
): Record<FeatureName, Feature> {
  const vms = virtualMachines(facts)
  const withVms = (feature: Feature): Feature => (vms.available ? feature : vms)
  return {
    virtualMachines: vms,
    liveHotplug: withVms(hotplugBy ? available : unavailable(messageOf('capability.no_hotplug'))),
    liveNics: withVms(nicsIn(facts).feature),
    vmSnapshots: withVms(vmSnapshots(facts)),
    vmExports: withVms(gated(facts, 'VMExport', messageOf('capability.what.vm_exports'))),
    imageImports: imageImports(facts),
    volumeSnapshots: volumeSnapshots(facts),
    extraNetworks: extraNetworks(facts),
    attachmentPolicies: attachmentPoliciesIn(facts),
    networkFilters: hasKind(facts, 'k8s.cni.cncf.io/v1beta1')
      ? available
      : unavailable(messageOf('capability.no_network_filters')),
    hostBridges: hasKind(facts, 'nmstate.io/v1')
      ? available
      : unavailable(messageOf('capability.no_nmstate')),
  }
}

function nicsIn(facts: ClusterFacts): ReturnType<typeof assessNics> {
  const feature = unreadable(facts, 'kubevirts')
  if (feature) return { feature, obstacles: { attach: 'platform', detach: null } }
  const { kubevirt, nodes } = facts
  const minor = minorOf(textAt(kubevirt, 'status', 'observedKubeVirtVersion'))
  return assessNics({ kubevirt, minor, nodes })
}

function virtualMachines(facts: ClusterFacts): Feature {
  if (!hasKind(facts, 'kubevirt.io/v1')) return unavailable(messageOf('capability.no_kubevirt'))
  if (!facts.kubevirtAnswers) return unavailable(messageOf('capability.kubevirt_silent'))
  const phase = textAt(facts.kubevirt, 'status', 'phase')
  return phase === null || phase === 'Deployed'
    ? available
    : unavailable(messageOf('capability.kubevirt_unready', { phase }))
}

/**
 * KubeVirt falls back to any default class, even to one that blocks live migration. Only a class
 * that the operator chose counts.
 */
function guestStateIn(facts: ClusterFacts): Feature | null {
  if (unreadable(facts, 'kubevirts')) return null
  const chosen = textAt(facts.kubevirt, 'spec', 'configuration', 'vmStateStorageClass')
  return chosen ? available : unavailable(messageOf('capability.no_state_class'))
}

function vmSnapshots(facts: ClusterFacts): Feature {
  const own = hasKind(facts, 'snapshot.kubevirt.io/v1beta1')
    ? gated(facts, 'Snapshot', messageOf('capability.what.vm_snapshots'))
    : unavailable(messageOf('capability.no_vm_snapshots'))
  return own.available ? volumeSnapshots(facts) : own
}

function volumeSnapshots(facts: ClusterFacts): Feature {
  if (!hasKind(facts, 'snapshot.storage.k8s.io/v1'))
    return unavailable(messageOf('capability.no_volume_snapshots'))
  const refused = unreadable(facts, 'volumesnapshotclasses')
  if (refused) return refused
  return facts.snapshotClasses.length > 0
    ? available
    : unavailable(messageOf('capability.no_snapshot_classes'))
}

function imageImports(facts: ClusterFacts): Feature {
  if (!hasKind(facts, 'cdi.kubevirt.io/v1beta1'))
    return unavailable(messageOf('capability.no_imports'))
  const phase = textAt(facts.cdi, 'status', 'phase')
  return phase === null || phase === 'Deployed'
    ? available
    : unavailable(messageOf('capability.cdi_unready', { phase }))
}

const extraNetworks = (facts: ClusterFacts): Feature =>
  hasKind(facts, 'k8s.cni.cncf.io/v1') ? available : unavailable(messageOf('capability.no_multus'))

/**
 * Checks the policies and bindings that exist in the cluster. A policy without a binding refuses
 * nothing.
 */
function attachmentPoliciesIn(facts: ClusterFacts): Feature {
  const refused =
    unreadable(facts, 'validatingadmissionpolicies') ??
    unreadable(facts, 'validatingadmissionpolicybindings')
  if (refused) return refused
  const { admissionPolicies, admissionBindings } = facts
  const isWhole = Object.values(attachmentPolicies).every((name) =>
    [admissionPolicies, admissionBindings].every((all) =>
      all.some((each) => textAt(each, 'metadata', 'name') === name),
    ),
  )
  if (isWhole) return available
  return unavailable(messageOf('capability.no_admission_policies'))
}

function networksIn(facts: ClusterFacts): Record<NetworkDriver, Feature> {
  const multus = extraNetworks(facts)
  return mapDrivers((driver) => {
    const { needs } = traitsOf(driver)
    if (!multus.available || !needs || hasKind(facts, needs.api)) return multus
    return unavailable(messageOf('capability.no_driver', { name: needs.product }))
  })
}

/**
 * When both feature gates are on, the older API call wins: with it a change of the spec waits for a
 * restart.
 */
function hotplugIn(facts: ClusterFacts): Capabilities['hotplugBy'] {
  if (!virtualMachines(facts).available) return null
  if (gatesOf(facts).on.includes('HotplugVolumes')) return 'call'
  return gated(facts, 'DeclarativeHotplugVolumes', textMessage('volume hotplug')).available
    ? 'spec'
    : null
}

/** The minor version in which each gate became generally available; null while it is beta. */
const finalSince = {
  Snapshot: null,
  DeclarativeHotplugVolumes: null,
  VMExport: 9,
} satisfies Record<string, number | null>

/**
 * A gate that is listed as enabled wins over one that is listed as disabled. From 1.9 beta gates
 * are on by default; before, they are off by default.
 */
function gated(facts: ClusterFacts, gate: keyof typeof finalSince, what: Message): Feature {
  const refused = unreadable(facts, 'kubevirts')
  if (refused) return refused
  const { on, off } = gatesOf(facts)
  const minor = minorOf(textAt(facts.kubevirt, 'status', 'observedKubeVirtVersion'))
  const final = finalSince[gate]
  if (on.includes(gate) || (final !== null && minor >= final)) return available
  if (off.includes(gate)) return unavailable(messageOf('capability.gate_off', { what, gate }))
  return minor >= 9 ? available : unavailable(messageOf('capability.gate_missing', { what, gate }))
}

const developerIn = ({ kubevirt }: ClusterFacts): unknown =>
  fieldAt(kubevirt, 'spec', 'configuration', 'developerConfiguration')

const vcpusPerCoreIn = (facts: ClusterFacts): number =>
  Math.max(1, numberAt(developerIn(facts), 'cpuAllocationRatio') ?? defaultVcpusPerCore)

function gatesOf(facts: ClusterFacts): { on: string[]; off: string[] } {
  const developer = developerIn(facts)
  return { on: textsAt(developer, 'featureGates'), off: textsAt(developer, 'disabledFeatureGates') }
}

/**
 * Returns the minor version of 1.x. A version that cannot be parsed counts as 0, which enables the
 * fewest features.
 */
function minorOf(version: string | null): number {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? []
  return Number(major) > 1 ? Infinity : Number(minor)
}
