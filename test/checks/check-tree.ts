import { arrowsSectionFindings } from './documents/arrows-section.ts'
import { decisionFindings } from './documents/decisions.ts'
import { linkFindings } from './documents/links.ts'
import { nodeVersionFindings } from './documents/node-version.ts'
import { conclude, root } from './run-check.ts'
import { listFindings } from './lists/print-lists.ts'
import { treeFindings } from './tree.ts'

// The check `tree` of `npm test`: the names of files and folders, the documents, and
// the lists that are printed.
conclude('tree', [
  ...treeFindings(root),
  ...linkFindings(root),
  ...decisionFindings(root),
  ...nodeVersionFindings(root),
  ...arrowsSectionFindings(root),
  ...(await listFindings(root)),
])
