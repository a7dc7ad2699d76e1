import { type Json, type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { type Matcher, type Reader } from './find.ts'

/**
 * The default of a volume's labels, or why there is none. The VM may ignore some of these failures.
 */
export type Inferred = { name: string; kind: string } | { why: string; ignorable: boolean }

interface Search {
  reader: Reader
  vm: KubeObject
  matcher: Matcher
}

const unknown = (why: string): Inferred => ({ why, ignorable: true })

/**
 * Infers the instance type or preference from the labels of a volume of the VM, or of the volume's
 * source.
 */
export function inferredFrom(
  reader: Reader,
  vm: KubeObject,
  { volume, matcher }: { volume: string; matcher: Matcher },
): Inferred {
  const search: Search = { reader, vm, matcher }
  const found = read
    .maps(read.at(vm.spec, 'template', 'spec', 'volumes'))
    .find(({ name }) => name === volume)
  if (!found) return { why: `unable to find volume ${volume} to infer defaults`, ignorable: false }
  const { namespace = '' } = vm.metadata
  if (found.persistentVolumeClaim !== undefined)
    return fromObject(search, 'persistentvolumeclaims', {
      namespace,
      name: read.at(found.persistentVolumeClaim, 'claimName'),
    })
  if (found.dataVolume !== undefined)
    return fromDataVolume(search, read.text(read.at(found.dataVolume, 'name')))
  return unknown(`unable to infer defaults from volume ${volume} as type is not supported`)
}

function fromLabels({ matcher }: Search, { metadata: { labels = {} } }: KubeObject): Inferred {
  const label = `instancetype.kubevirt.io/default-${matcher}`
  const name = labels[label]
  if (name === undefined) return unknown(`unable to find required ${label} label on the volume`)
  return { name, kind: labels[`${label}-kind`] ?? '' }
}

interface Reference {
  namespace?: Json | undefined
  name?: Json | undefined
}

function fromObject(search: Search, kind: string, reference: Reference): Inferred {
  const name = read.text(reference.name)
  const object = search.reader.get(
    kind,
    read.text(reference.namespace) || search.vm.metadata.namespace,
    name,
  )
  return object
    ? fromLabels(search, object)
    : { why: `${kind} "${name}" not found`, ignorable: false }
}

function fromDataVolume(search: Search, name: string): Inferred {
  const { reader, vm } = search
  const template = read
    .maps(read.spec(vm).dataVolumeTemplates)
    .find(({ metadata }) => read.at(metadata, 'name') === name)
  if (template) return fromSource(search, read.map(template.spec))
  const volume = reader.get('datavolumes.cdi.kubevirt.io', vm.metadata.namespace, name)
  if (!volume) return fromObject(search, 'persistentvolumeclaims', { name })
  const labelled = fromLabels(search, volume)
  return 'name' in labelled ? labelled : fromSource(search, read.spec(volume))
}

function fromSource(search: Search, { source, sourceRef }: JsonMap): Inferred {
  const pvc = read.at(source, 'pvc')
  if (pvc !== undefined) return fromObject(search, 'persistentvolumeclaims', read.map(pvc))
  const snapshot = read.at(source, 'snapshot')
  if (snapshot !== undefined)
    return fromObject(search, 'volumesnapshots.snapshot.storage.k8s.io', read.map(snapshot))
  if (sourceRef === undefined)
    return unknown(
      'unable to infer defaults from DataVolumeSpec as DataVolumeSource is not supported',
    )
  const { kind, name, namespace } = read.map(sourceRef)
  if (kind !== 'DataSource')
    return unknown(
      `unable to infer defaults from DataVolumeSourceRef as Kind ${read.text(kind)} is not supported`,
    )
  return fromDataSource(search, { name, namespace })
}

function fromDataSource(search: Search, { name, namespace }: Reference): Inferred {
  const kind = 'datasources.cdi.kubevirt.io'
  const object = search.reader.get(
    kind,
    read.text(namespace) || search.vm.metadata.namespace,
    read.text(name),
  )
  if (!object) return { why: `${kind} "${read.text(name)}" not found`, ignorable: false }
  const labelled = fromLabels(search, object)
  const source = read.map(read.spec(object).source)
  if ('name' in labelled || (source.pvc === undefined && source.snapshot === undefined)) {
    const message =
      "unable to infer defaults from DataSource that doesn't provide DataVolumeSourcePVC or DataVolumeSourceSnapshot"
    return 'name' in labelled ? labelled : unknown(message)
  }
  return fromSource(search, { source })
}
