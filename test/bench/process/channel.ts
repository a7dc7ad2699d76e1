/** What a measured process and the bench tell each other beside the process's own business. */
export const question = { cost: 'cost' } as const

export interface Cost {
  cpuUs: number
  rssBytes: number
  /** After a collection, or 0 where none can be asked for. */
  heapBytes: number
}

/** Run by a child: says that it is ready, then answers each question in the order of asking. */
export function answering<Asked>(ready: unknown, answer: (asked: Asked) => Promise<unknown>): void {
  let turn = Promise.resolve()
  process.on('message', (message) => {
    if (message === question.cost) return
    turn = turn.then(async () => {
      try {
        process.send?.({ answer: await answer(message as Asked) })
      } catch (error) {
        process.send?.({
          failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })
      }
    })
  })
  process.channel?.ref()
  process.send?.({ ready })
}
