import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { createSshKey } from '../../../usecases/ssh-key/create-ssh-key.ts'
import { deleteSshKey } from '../../../usecases/ssh-key/delete-ssh-key.ts'
import { registerSshKey } from '../../../usecases/ssh-key/register-ssh-key.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateSshKeyInput,
  DeleteSshKeyInput,
  RegisterSshKeyInput,
  SshKeyFilter,
  SshKeyOrder,
} from './ssh-key-inputs.ts'
import {
  CreateSshKeyPayload,
  DeleteSshKeyPayload,
  RegisterSshKeyPayload,
  SshKey,
  SshKeyConnection,
} from './ssh-key-types.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type SshKeyView } from '../../../domain/ssh-key/ssh-key.ts'

@Resolver(() => SshKey)
export class SshKeyResolver {
  @needs('ssh_keys:read')
  @Query(() => SshKey, {
    nullable: true,
    description: 'Finds an SSH key by its id; null when there is none.',
  })
  sshKey(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.sshKeys.find(id)
  }

  @needs('ssh_keys:read')
  @Query(() => SshKeyConnection, { description: 'The SSH keys of the tenant.' })
  sshKeys(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => SshKeyFilter, { nullable: true }) filter?: SshKeyFilter,
    @Arg('orderBy', () => SshKeyOrder, { nullable: true }) orderBy?: SshKeyOrder,
  ) {
    return SshKeyConnection.read(reads.sshKeys, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @needs('ssh_keys:write')
  @Mutation(() => CreateSshKeyPayload, {
    description:
      'Creates a key pair. Berth stores only the public key; the response has the private key.',
  })
  createSshKey(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateSshKeyInput) input: CreateSshKeyInput,
  ) {
    return write(async (op) => {
      const { sshKey, privateKeyPem } = await createSshKey(op, input)
      // The key is revealed inside the unit of work, whose response is stored encrypted. A retry
      // with the same idempotency key must return the same private key.
      return { sshKey, privateKeyPem: privateKeyPem.reveal() }
    })
  }

  @needs('ssh_keys:write')
  @Mutation(() => RegisterSshKeyPayload, {
    description: 'Registers an existing public key. Its private key stays with the user.',
  })
  registerSshKey(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => RegisterSshKeyInput) input: RegisterSshKeyInput,
  ) {
    return write((op) => registerSshKey(op, input))
  }

  @needs('ssh_keys:write')
  @Mutation(() => DeleteSshKeyPayload, {
    description: 'Deletes an SSH key. VMs that have it keep it.',
  })
  deleteSshKey(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteSshKeyInput) input: DeleteSshKeyInput,
  ) {
    return write((op) => deleteSshKey(op, input))
  }
}

export const SshKeyObjectsResolver = relatedObjects<SshKeyView>(SshKey, {
  ...itsTenant,
})
