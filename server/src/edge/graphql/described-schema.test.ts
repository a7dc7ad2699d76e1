import {
  type GraphQLSchema,
  buildSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  printSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { withUsualDescriptions } from './described-schema.ts'

const planted = (): GraphQLSchema =>
  withUsualDescriptions(
    buildSchema(`
      interface Node { id: ID! }
      type Vm implements Node {
        id: ID!
        name: String!
        tenantId: ID!
        createdAt: String!
        updatedAt: String!
        version: Int!
        refusals: String
        cpu: Int!
      }
      type SshKey implements Node { id: ID! version: Int! }
      type VmConnection { nodes: [Vm!]! edges: [VmEdge!]! }
      type VmEdge { node: Vm! }
      input VmOrder { by: VmSort! }
      enum VmSort { createdAt color }
      input VmFilter { host: String }
      type Operation { id: ID! }
      type Disk { id: ID! }

      type Query {
        vm(id: ID!, name: String): Vm
        vms(filter: VmFilter, orderBy: VmOrder, first: Int): VmConnection!
        disk(id: ID!): Disk
        node(id: ID!): Node
      }
      type Subscription { vmChanged(id: ID!): Vm! }

      input CreateVmInput { name: String! cpu: Int }
      type CreateVmPayload { vm: Vm! operation: Operation! }
      input UpdateVmInput { id: ID! name: String ifVersion: Int }
      type UpdateVmPayload { vm: Vm! operation: Operation }
      "Names the key."
      input DeleteSshKeyInput {
        "The key."
        id: ID!
      }
      type DeleteSshKeyPayload { sshKey: SshKey! }
      input PowerInput { id: ID! }
      type PowerPayload { vm: Vm! }
      type Mutation {
        createVm(input: CreateVmInput!, waitSeconds: Int): CreateVmPayload
        updateVm(input: UpdateVmInput!): UpdateVmPayload
        deleteSshKey(input: DeleteSshKeyInput!): DeleteSshKeyPayload
        startVm(input: PowerInput!): PowerPayload
        stopVm(input: PowerInput!): PowerPayload
      }
    `),
  )

/** Returns the description of `Type`, `Type.part` or `Type.field(argument)`; null without one. */
function descriptionAt(schema: GraphQLSchema, coordinate: string): string | null {
  const [typeName = '', member, argument] = coordinate.split(/[.()]/)
  const type = schema.getType(typeName)
  if (!type) throw new RangeError(`the planted schema has no ${typeName}`)
  if (member === undefined) return type.description ?? null
  if (isEnumType(type)) return found(type.getValue(member), coordinate)
  if (isInputObjectType(type)) return found(type.getFields()[member], coordinate)
  const field = isObjectType(type) ? type.getFields()[member] : undefined
  if (argument === undefined) return found(field, coordinate)
  return found(
    field?.args.find(({ name }) => name === argument),
    coordinate,
  )
}

function found(
  part: { description?: string | null | undefined } | null | undefined,
  coordinate: string,
): string | null {
  if (!part) throw new RangeError(`the planted schema has no ${coordinate}`)
  return part.description ?? null
}

test.for([
  ['CreateVmInput', 'The input of `createVm`.'],
  ['Mutation.createVm(input)', 'The input of `createVm`.'],
  ['CreateVmInput.name', 'The name of the VM.'],
  ['CreateVmPayload', 'The result of `createVm`.'],
  ['CreateVmPayload.vm', 'The new VM.'],
  ['CreateVmPayload.operation', 'The operation of the change.'],
  ['UpdateVmInput.id', 'The id of the VM.'],
  ['UpdateVmInput.name', 'The new name of the VM.'],
  ['UpdateVmPayload.vm', 'The VM after the change.'],
  [
    'UpdateVmPayload.operation',
    'The operation of the change. Null when the change needs nothing from the cluster.',
  ],
  ['DeleteSshKeyPayload.sshKey', 'The SSH key that the request deletes.'],
  ['VmConnection', 'A page of a list of VMs.'],
  ['VmEdge', 'One VM of a page, with its cursor.'],
  ['VmFilter', 'The conditions for the VMs of a list. Each of them must be met.'],
  ['VmOrder', 'The order of a list of VMs.'],
  ['VmSort', 'The value by which a list of VMs is sorted.'],
  ['VmSort.createdAt', 'Sorts by the time of creation.'],
  ['Query.vms(filter)', 'Only VMs that meet these conditions.'],
  ['Query.vms(orderBy)', 'The order of the VMs.'],
  ['Query.vm(id)', 'The id of the VM.'],
  ['Query.vm(name)', 'The name of the VM.'],
  ['Query.node(id)', 'The id of the object.'],
  ['Subscription.vmChanged(id)', 'The id of the VM.'],
  ['Vm.id', 'The id of the VM. It never changes.'],
  ['Vm.name', 'The name of the VM.'],
  ['Vm.tenantId', 'The tenant of the VM.'],
  ['Vm.createdAt', 'When the VM was created.'],
  ['Vm.updatedAt', 'When the VM last changed.'],
  ['Vm.version', 'Grows with each change of the VM. Mutations take it as `ifVersion`.'],
  ['SshKey.version', 'Grows with each change of the SSH key.'],
  ['Vm.refusals', 'Why actions on the VM are refused now.'],
] as const)('the description of %s follows from its name', ([coordinate, description]) => {
  expect(descriptionAt(planted(), coordinate)).toBe(description)
})

test.for([
  ['DeleteSshKeyInput', 'Names the key.'],
  ['DeleteSshKeyInput.id', 'The key.'],
] as const)('the own description of %s stays', ([coordinate, description]) => {
  expect(descriptionAt(planted(), coordinate)).toBe(description)
})

test('a described schema stays as it is when it is described again', () => {
  const schema = planted()
  const before = printSchema(schema)
  expect(printSchema(withUsualDescriptions(schema))).toBe(before)
})

test.for([
  ['PowerInput', 'two mutations share it'],
  ['PowerPayload.vm', 'two mutations share it'],
  ['CreateVmInput.cpu', 'its meaning is its own'],
  ['Vm.cpu', 'its meaning is its own'],
  ['VmFilter.host', 'its meaning is its own'],
  ['VmSort.color', 'the value is unknown'],
  ['Disk.id', 'the type is no noun'],
  ['Query.disk(id)', 'the type is no noun'],
] as const)('%s gets no description, because %s', ([coordinate]) => {
  expect(descriptionAt(planted(), coordinate)).toBeNull()
})
