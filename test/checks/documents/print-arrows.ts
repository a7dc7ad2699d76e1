import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-check.ts'
import { arrowsDocument, withArrows } from './arrows-section.ts'

const file = join(root, arrowsDocument)
writeFileSync(file, withArrows(readFileSync(file, 'utf8')))
