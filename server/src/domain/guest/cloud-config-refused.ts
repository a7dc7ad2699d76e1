import { type Message } from '../../engine/model/message.ts'
import { invalid } from '../../engine/model/name.ts'

/** The user data of a guest cannot be used. The problem tells the user why. */
export class CloudConfigRefused extends Error {
  override readonly name = 'CloudConfigRefused'
  readonly problem: Message

  constructor(problem: Message) {
    super(problem.toString())
    this.problem = problem
  }
}

/** Runs the action, and names the field when its user data is refused. */
export function namingField<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw error instanceof CloudConfigRefused ? invalid(path, error.problem) : error
  }
}
