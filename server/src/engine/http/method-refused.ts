export class MethodRefused extends Error {
  readonly allow: readonly string[]

  constructor(method: string, allow: readonly string[]) {
    super(`${method} is not possible here; use ${allow.join(' or ')}.`)
    this.name = 'MethodRefused'
    this.allow = allow
  }
}
