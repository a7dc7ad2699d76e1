import { stringify } from 'yaml'
import { type Json } from './types.ts'

/** As YAML that parsers of the version 1.1 read back as the same. */
export const yamlText = (value: Json): string =>
  stringify(value, { version: '1.1', lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false })
