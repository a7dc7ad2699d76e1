import * as v from 'valibot'
import { environmentSchema } from './environment.ts'
import { type ClusterKind, fileSchemaFor } from './schema.ts'

/**
 * Returns the reference of all keys and variables in Markdown. docs/configuration.md has the same
 * text.
 */
export function configReference(): string {
  const sandboxKeys = keysOf(schemaNode('sandbox'))
  const clusterKeys = new Map(keysOf(schemaNode('kubeconfig')).map((key) => [key.path, key]))
  const rows = sandboxKeys.map(({ path, form, fallback, description }) => {
    const otherwise = clusterKeys.get(path)?.fallback ?? fallback
    const shown = otherwise === fallback ? fallback : `${otherwise}; with the sandbox ${fallback}`
    return [`\`${path}\``, form, shown, description]
  })
  const variables = Object.entries(environmentSchema.entries).map(([name, { wrapped }]) => [
    `\`${name}\``,
    formOf(wrapped),
    v.getDescription(wrapped) ?? '',
  ])
  return [
    intro,
    table(['Key', 'Value', 'Default', 'Meaning'], rows),
    environmentIntro,
    table(['Variable', 'Value', 'Meaning'], variables),
  ].join('\n')
}

const intro = `# Configuration

Berth reads one file, \`berth.yaml\` in the folder where it starts, or the file that \`BERTH_CONFIG\` names. Every key
has a default. Relative paths begin at the folder of the file. \`npm run berth config check\` prints the configuration in
force without its secrets, and names each wrong key.

This page is printed by \`npm run berth config reference\` from the schema in \`server/src/runtime/config/schema.ts\`.

## Keys of the file
`

const environmentIntro = `
## Variables of the environment

Secrets come from the environment only. A variable wins over the key of the file.
`

interface Key {
  path: string
  form: string
  fallback: string
  description: string
}

/** The fields of the schema kinds that the file uses. All are plain objects of valibot. */
interface SchemaNode extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly wrapped?: SchemaNode
  readonly item?: SchemaNode
  readonly options?: readonly string[]
  readonly default?: null | boolean | number | string | readonly string[]
}

// Every schema of the file is one of those kinds.
const schemaNode = (kind: ClusterKind) => fileSchemaFor(kind) as unknown as SchemaNode

function keysOf(node: SchemaNode, path = ''): Key[] {
  const inner = node.wrapped ?? node
  if (inner.entries)
    return Object.entries(inner.entries).flatMap(([name, entry]) =>
      keysOf(entry, path ? `${path}.${name}` : name),
    )
  const description = v.getDescription(inner) ?? ''
  return [{ path, form: formOf(inner), fallback: fallbackOf(node), description }]
}

function formOf(node: SchemaNode): string {
  const { form } = v.getMetadata(node)
  if (typeof form === 'string') return form
  if (node.type === 'picklist') return (node.options ?? []).map((one) => `\`${one}\``).join(', ')
  if (node.type === 'array' && node.item) return `a list: ${formOf(node.item)}`
  return node.type === 'boolean' ? 'true or false' : 'text'
}

function fallbackOf({ type, default: fallback }: SchemaNode): string {
  if (type !== 'optional' && type !== 'nullish') return 'required in its group'
  if (fallback === null) return 'not set'
  if (Array.isArray(fallback) && fallback.length === 0) return 'an empty list'
  return `\`${String(fallback).replaceAll(',', ', ')}\``
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line), ''].join('\n')
}
