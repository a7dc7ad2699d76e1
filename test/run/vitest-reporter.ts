import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import type { TestLine } from './test-lines.ts'

/**
 * Writes each result to a file at once. The runner shows progress from it, and a killed run keeps
 * its results.
 */
export default class LineReporter implements Reporter {
  private readonly file = process.env['BERTH_TEST_LINES']

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    const line = { name: test.fullName, file: test.module.relativeModuleId }
    if (state === 'failed')
      this.write({ state, ...line, reason: errors?.[0]?.message.split('\n')[0] ?? '' })
    else if (state !== 'pending') this.write({ state, ...line })
    // Failures are printed at once, because a stopped run never prints its summary.
    if (state === 'failed')
      process.stdout.write(`\n${line.file} > ${line.name}\n  ${errors?.[0]?.message ?? ''}\n`)
  }

  onTestModuleEnd(module: TestModule): void {
    // A file that cannot be loaded and a failing hook have no failed test, so each is written as a
    // failure.
    const errors = [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ]
    if (errors.length > 0)
      this.write({ state: 'failed', name: errors[0]?.message ?? '', file: module.relativeModuleId })
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors)
      this.write({ state: 'failed', name: `unhandled: ${error.message}`, file: '' })
    this.write({ state: 'end', name: '', file: '' })
  }

  private write(entry: TestLine): void {
    if (this.file) appendFileSync(this.file, `${JSON.stringify(entry)}\n`)
  }
}
