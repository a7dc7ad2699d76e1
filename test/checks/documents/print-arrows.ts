import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-check.ts'
import { arrowsDocument, withArrows } from './arrows-section.ts'

// Run this program after a change of arrows-table.ts. It prints the tables into ARCHITECTURE.md.
const file = join(root, arrowsDocument)
writeFileSync(file, withArrows(readFileSync(file, 'utf8')))
