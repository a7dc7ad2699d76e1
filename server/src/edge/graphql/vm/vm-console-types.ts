import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql'
import { type ConsoleKind, consoleKinds } from '../../../domain/guest/console.ts'
import { type ConsoleTicket } from '../../../usecases/vm/create-vm-console-ticket.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { NamedVmInput } from './vm-inputs.ts'

const ConsoleKindEnum = enumOf(consoleKinds)
registerEnumType(ConsoleKindEnum, {
  name: 'VmConsoleKind',
  description: 'The serial line, or the screen.',
})

@InputType()
export class CreateVmConsoleTicketInput extends NamedVmInput {
  @Field(() => ConsoleKindEnum) kind!: ConsoleKind
}

@ObjectType({ simpleResolvers: true, description: 'Opens one console once.' })
export class CreateVmConsoleTicketPayload implements ConsoleTicket {
  @Field(() => String) ticket!: string
  @Field(() => String, { description: 'Where to open a WebSocket; it has the ticket in it.' })
  url!: string
  @Field(() => DateTime) expiresAt!: string
  @Field(() => String, {
    description: 'The subprotocol to ask for: bytes as they are, in binary frames.',
  })
  protocol!: string
}
