import { type KubeClient } from './sandbox.ts'
import { sandboxFaults } from './faults.ts'

/**
 * Makes a cluster answer as one without the component that serves these API groups, until the
 * returned function is called. Its objects stay.
 */
export async function hideGroups(
  cluster: KubeClient,
  groups: readonly string[],
): Promise<() => Promise<void>> {
  const { inject } = sandboxFaults(cluster)
  const { text } = await cluster.call('/apis')
  // The fields of an APIGroupList that this function reads.
  const list = JSON.parse(text) as { groups: { name: string }[] }
  const served = { ...list, groups: list.groups.filter(({ name }) => !groups.includes(name)) }
  const always = { times: 1_000_000 }
  await inject('requests', {
    ...always,
    method: 'GET',
    path: '/apis',
    fault: { do: 'answer', status: 200, body: served },
  })
  for (const group of groups)
    await inject('requests', {
      ...always,
      path: `/apis/${group}/*`,
      fault: { do: 'answer', status: 404, body: '404 page not found' },
    })
  return async () => void (await inject('requests/clear', {}))
}
