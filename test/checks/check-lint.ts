import { lintFindings } from './lint/lint.ts'
import { conclude, root } from './run-check.ts'

conclude('lint', await lintFindings(root, ['server', 'web', 'test']))
