import { brokenArrows } from './arrows.ts'
import { conclude, root } from './run-check.ts'

// The check `arrows` of `npm test`: every import follows the arrows of ARCHITECTURE.md.
conclude('arrows', await brokenArrows(root))
