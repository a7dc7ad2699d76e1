import type { Page } from 'playwright-core'

/**
 * From now on a page has to ask everything itself: nothing comes along with the renewal of its
 * session.
 */
export const answerNothingAhead = (page: Page): Promise<unknown> =>
  page.route('**/auth/session/refresh', async (route) => {
    const response = await route.fetch()
    const [grant = ''] = (await response.text()).split('\n')
    await route.fulfill({ response, body: grant })
  })
