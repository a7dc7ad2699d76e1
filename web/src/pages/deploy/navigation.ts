import type { PageCommand } from '../../composables/navigation.ts'

export const commands: readonly PageCommand[] = [
  {
    label: 'Deploy machine',
    keywords: 'new vm create server',
    permission: 'vms:write',
    query: {},
  },
]
