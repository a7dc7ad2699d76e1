import { type Operation, rowId, uid } from './gateway-operation.ts'

/** The operations that find VMs of other clients and adopt them. */
export const ofUnmanagedVms: Readonly<Record<string, Operation>> = {
  'list the VMs of a namespace': {
    does: 'list',
    method: 'listAllVms',
    takes: ['namespace'],
    run: ({ reader }, { namespace }) => reader.listAllVms({ namespace }),
    paths: ({ namespace }) => [`/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`],
  },
  'describe the VMs of a namespace': {
    does: 'list',
    method: 'describeVms',
    takes: ['namespace'],
    run: ({ reader }, { namespace, name }) => reader.describeVms({ namespace, names: [name] }),
    paths: ({ namespace }) => [
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`,
      `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
    ],
  },
  'read the settings of a VM': {
    does: 'read',
    method: 'getVmSettings',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getVmSettings(names),
    paths: ({ namespace, name }) => [`/api/v1/namespaces/${namespace}/secrets/${name}`],
  },
  'label the data volume of a VM': {
    does: 'correct',
    method: 'labelObject',
    takes: ['namespace', 'name'],
    run: ({ writer }, names) =>
      writer.labelObject('dataVolume', names, { tenantId: rowId, rowId, uid }),
    paths: ({ namespace, name }) => [
      `/apis/cdi.kubevirt.io/v1beta1/namespaces/${namespace}/datavolumes/${name}`,
    ],
  },
}
