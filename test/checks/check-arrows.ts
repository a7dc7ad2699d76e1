import { brokenArrows } from './arrows.ts'
import { conclude, root } from './run-check.ts'

conclude('arrows', await brokenArrows(root))
