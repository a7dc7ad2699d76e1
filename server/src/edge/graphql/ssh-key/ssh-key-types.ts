import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type SshKeyView } from '../../../domain/ssh-key/ssh-key.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'A public key that can be added to new VMs for login without a password.',
})
export class SshKey implements SshKeyView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The public key in the format of OpenSSH.' })
  publicKey!: string
  @Field(() => String, { description: 'The fingerprint as `ssh-keygen -l` prints it.' })
  fingerprint!: string
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class SshKeyConnection extends connectionOf<SshKeyView>(SshKey, 'SshKey') {}

@ObjectType({ simpleResolvers: true })
class SshKeyPayload {
  @Field(() => SshKey) sshKey!: SshKey
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class CreateSshKeyPayload extends SshKeyPayload {
  @Field(() => String, {
    description: 'The private key in the format of OpenSSH. It is shown only once.',
  })
  privateKeyPem!: string
}

@ObjectType({ simpleResolvers: true })
export class RegisterSshKeyPayload extends SshKeyPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteSshKeyPayload extends SshKeyPayload {}
