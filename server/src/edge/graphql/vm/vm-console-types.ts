import { Field, InputType, ObjectType } from 'type-graphql'
import { type ConsoleKind, consoleKinds } from '../../../domain/guest/console.ts'
import { type ConsoleTicket } from '../../../usecases/vm/create-vm-console-ticket.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { NamedVmInput } from './vm-inputs.ts'

const ConsoleKindEnum = enumOf('VmConsoleKind', consoleKinds, {
  description: 'The kind of a console of a VM.',
  values: {
    serial: 'The serial console, which carries text.',
    vnc: 'The screen with keyboard and mouse, over VNC.',
  },
})

@InputType()
export class CreateVmConsoleTicketInput extends NamedVmInput {
  @Field(() => ConsoleKindEnum, {
    description: 'The console to open: the serial console, or the screen (VNC).',
  })
  kind!: ConsoleKind
}

@ObjectType({ simpleResolvers: true, description: 'A ticket that opens one console once.' })
export class CreateVmConsoleTicketPayload implements ConsoleTicket {
  @Field(() => String, { description: 'The ticket. It can be used once.' })
  ticket!: string
  @Field(() => String, { description: 'The URL of the WebSocket. It contains the ticket.' })
  url!: string
  @Field(() => DateTime, { description: 'When the ticket expires.' })
  expiresAt!: string
  @Field(() => String, {
    description: 'The WebSocket subprotocol to request. It carries raw bytes in binary frames.',
  })
  protocol!: string
}
