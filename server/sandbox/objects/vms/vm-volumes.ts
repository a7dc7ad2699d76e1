import { type JsonMap, isMap } from '../types.ts'
import { read } from '../read.ts'

/** The volumes in the template of a VM. */
export const volumesOf = (vm: JsonMap): JsonMap[] =>
  read.maps(read.at(vm, 'spec', 'template', 'spec', 'volumes'))

/** The PVC that holds the volume's content; null for volumes without one. */
export function claimOf(volume: JsonMap): string | null {
  const claim =
    read.at(volume, 'persistentVolumeClaim', 'claimName') ??
    read.at(volume, 'dataVolume', 'name') ??
    read.at(volume, 'memoryDump', 'claimName')
  return typeof claim === 'string' ? claim : null
}

export const claimsOf = (vm: JsonMap): { volume: string; claim: string }[] =>
  volumesOf(vm).flatMap((volume) => {
    const claim = claimOf(volume)
    return claim === null ? [] : [{ volume: read.text(volume.name), claim }]
  })

/** True when the VM has persistent state outside its volumes: a TPM, or EFI variables. */
export function hasBackendStorage(vm: JsonMap): boolean {
  const domain = read.at(vm, 'spec', 'template', 'spec', 'domain')
  const tpm = read.at(domain, 'devices', 'tpm')
  const keepsTpm = isMap(tpm) && tpm.persistent === true && tpm.enabled !== false
  return keepsTpm || read.at(domain, 'firmware', 'bootloader', 'efi', 'persistent') === true
}
