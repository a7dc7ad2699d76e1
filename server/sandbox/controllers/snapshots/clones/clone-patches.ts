import { type Json, type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

/**
 * The JSON patches that distinguish the clone from its source: MAC addresses, firmware identity,
 * and the filtered labels and annotations.
 */
export function clonePatches(vm: JsonMap, cloneSpec: JsonMap): string[] {
  const template = read.at(vm, 'spec', 'template')
  const firmware = read.at(template, 'spec', 'domain', 'firmware')
  const addresses = read.map(cloneSpec.newMacAddresses)
  const interfaces = read.maps(read.at(template, 'spec', 'domain', 'devices', 'interfaces'))
  const { 'restore.kubevirt.io/lastRestoreUID': _needed, ...annotations } = read.map(
    read.at(vm, 'metadata', 'annotations'),
  )
  return [
    // An empty MAC address removes the source's; KubeVirt assigns a new one when the VM starts.
    ...interfaces.map(({ name }, index) =>
      replacement(
        `/spec/template/spec/domain/devices/interfaces/${index}/macAddress`,
        read.text(addresses[read.text(name)]),
      ),
    ),
    ...(firmware === undefined
      ? []
      : [
          replacement(
            '/spec/template/spec/domain/firmware/serial',
            read.text(cloneSpec.newSMBiosSerial),
          ),
        ]),
    ...removals('/metadata/labels', read.at(vm, 'metadata', 'labels'), cloneSpec.labelFilters),
    ...removals('/metadata/annotations', annotations, cloneSpec.annotationFilters),
    ...removals(
      '/spec/template/metadata/labels',
      read.at(template, 'metadata', 'labels'),
      read.at(cloneSpec, 'template', 'labelFilters'),
    ),
    ...removals(
      '/spec/template/metadata/annotations',
      read.at(template, 'metadata', 'annotations'),
      read.at(cloneSpec, 'template', 'annotationFilters'),
    ),
    ...(firmware === undefined
      ? []
      : [replacement('/spec/template/spec/domain/firmware/uuid', '')]),
    ...read.texts(cloneSpec.patches),
  ]
}

const replacement = (path: string, value: string): string =>
  JSON.stringify({ op: 'replace', path, value })

/** Removes the keys that the filters do not allow; without filters all keys stay. */
function removals(path: string, map: Json | undefined, filterTexts: Json | undefined): string[] {
  if (filterTexts === undefined) return []
  const filters = read.texts(filterTexts)
  const allowed = filters
    .filter((filter) => !filter.startsWith('!'))
    .map((filter) => (filter === '*' ? '.*' : filter))
  const denied = filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1))
  return Object.keys(read.map(map))
    .filter(
      (key) =>
        !allowed.some((filter) => matches(filter, key)) ||
        denied.some((filter) => matches(filter, key)),
    )
    .map((key) =>
      JSON.stringify({
        op: 'remove',
        path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      }),
    )
}

function matches(filter: string, key: string): boolean {
  try {
    return new RegExp(filter).test(key)
  } catch {
    // An invalid pattern matches nothing.
    return false
  }
}
