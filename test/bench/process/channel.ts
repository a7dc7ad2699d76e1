/** Messages from the bench to a measured process, apart from the program's own requests. */
export const command = { cost: 'cost' } as const

export interface Cost {
  cpuUs: number
  rssBytes: number
  /** The heap after a garbage collection, or 0 when the process cannot force one. */
  heapBytes: number
}

/** Runs in a child: reports that it is ready, then answers each request in order. */
export function serveRequests<Request>(
  ready: unknown,
  answer: (request: Request) => Promise<unknown>,
): void {
  let turn = Promise.resolve()
  process.on('message', (message) => {
    if (message === command.cost) return
    turn = turn.then(async () => {
      try {
        process.send?.({ answer: await answer(message as Request) })
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
