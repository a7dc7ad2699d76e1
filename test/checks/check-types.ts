import { cachedFindings } from './lint/cached-findings.ts'
import { typedFindings, typeErrors } from './lint/typed.ts'
import { conclude, root } from './run-check.ts'

/*
 * The check `types` of `npm test`: the compiler's errors in the server, the sandbox and the tests,
 * and the lint rules that need types everywhere. The compiler for components is a step of its own.
 */
const part = { name: 'types', folders: ['server', 'web', 'test'], dependsOn: ['schema'] }
const findings = await cachedFindings(root, part, async () => [
  ...(await typeErrors(root, ['server', 'test'])),
  ...(await typedFindings(root, ['web'])),
])
conclude('types', findings)
