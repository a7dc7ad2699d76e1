/** One violation. All checks share this form, so that exception lists can name it. */
export interface Finding {
  readonly file: string
  readonly rule: string
  readonly message: string
  readonly line?: number
}

/** Formats a finding as one line of output. */
export function line(finding: Finding): string {
  const at = finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`
  return `${at}  ${finding.message}  [${finding.rule}]`
}
