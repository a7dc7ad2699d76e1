import { type VmSshRefusal, sshRefusalSentence } from './explain.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** The desired SSH access and how far the cluster has applied it. */
export interface VmSshProgress {
  exposed: boolean
  generation: number
  appliedGeneration: number
  refusedGeneration: number
  refusal: VmSshRefusal | null
  wantedNodePort: number | null
  nodePort: number | null
  /** The address behind the port; null while the VM has no address. */
  address: string | null
}

export const vmSshStates = ['closed', 'opening', 'open', 'waiting', 'refused', 'closing'] as const
/** `waiting`: the port exists, but the VM does not run. */
export type VmSshState = (typeof vmSshStates)[number]

/** The SSH access of a VM as its tenant sees it. */
export interface VmSshView {
  state: VmSshState
  exposed: boolean
  wantedNodePort: number | null
  nodePort: number | null
  address: string | null
  /** Explains an unusual state and the remedy; null otherwise. */
  explanation: Message | null
}

export const closedSsh: VmSshView = {
  state: 'closed',
  exposed: false,
  wantedNodePort: null,
  nodePort: null,
  address: null,
  explanation: null,
}

/** Derives the state of the SSH access of a VM from its row. */
export function vmSshFrom(row: VmSshProgress): VmSshView {
  const { exposed, wantedNodePort, nodePort, address } = row
  const state = stateOf(row)
  return {
    state,
    exposed,
    wantedNodePort,
    nodePort,
    address,
    explanation: explanationOf(state, row),
  }
}

function stateOf({
  exposed,
  generation,
  appliedGeneration,
  refusedGeneration,
  address,
}: VmSshProgress): VmSshState {
  if (!exposed) return appliedGeneration < generation ? 'closing' : 'closed'
  if (refusedGeneration === generation) return 'refused'
  if (appliedGeneration < generation) return 'opening'
  return address === null ? 'waiting' : 'open'
}

function explanationOf(
  state: VmSshState,
  { refusal, wantedNodePort }: VmSshProgress,
): Message | null {
  if (state === 'waiting') return messageOf('ssh.waiting')
  return state === 'refused' ? sshRefusalSentence(refusal, wantedNodePort) : null
}
