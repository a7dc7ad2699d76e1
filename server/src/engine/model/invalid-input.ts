import { Fault, type FaultField } from './fault.ts'
import { type Message, messageOf } from './message.ts'

/** A refusal lists at most this many problems; a client corrects them and sends the rest again. */
const maxProblems = 50

/** Refuses an input and tells all of its problems, of which there is at least one. */
export function invalidInput(problems: readonly FaultField[]): Fault {
  const fields = problems.slice(0, maxProblems)
  return new Fault('invalid_input', sentenceOf(fields), { fields })
}

function sentenceOf([first, ...rest]: readonly FaultField[]): Message {
  if (!first) return messageOf('request.body_not_object')
  const problem = messageOf('field.problem', { path: first.path, problem: first.message })
  return rest.length === 0
    ? problem
    : messageOf('field.problem_and_more', { problem, more: sentenceOf(rest) })
}
