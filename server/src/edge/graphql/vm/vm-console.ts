import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { createVmConsoleTicket } from '../../../usecases/vm/create-vm-console-ticket.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { CreateVmConsoleTicketInput, CreateVmConsoleTicketPayload } from './vm-console-types.ts'

/**
 * Issues tickets for consoles. A browser cannot send its token in a header when it opens a socket.
 */
@Resolver()
export class VmConsoleResolver {
  @needs('vms:console')
  @Mutation(() => CreateVmConsoleTicketPayload, {
    description:
      'Creates a ticket that opens a console of a VM once, within 30 seconds. The VM must be on.',
  })
  createVmConsoleTicket(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => CreateVmConsoleTicketInput) input: CreateVmConsoleTicketInput,
  ) {
    return write((op) => createVmConsoleTicket(op, input, berth.publicUrl))
  }
}
