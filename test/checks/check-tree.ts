import { conclude, root } from './run-check.ts'
import { treeFindings } from './tree.ts'

conclude('tree', treeFindings(root))
