import type { Page } from 'playwright-core'

/** Removes prefetched data from session refreshes, so that a page sends all its queries itself. */
export const withoutPrefetch = (page: Page): Promise<unknown> =>
  page.route('**/auth/session/refresh', async (route) => {
    const response = await route.fetch()
    const [grant = ''] = (await response.text()).split('\n')
    await route.fulfill({ response, body: grant })
  })
