import { type TypedDocumentNode, stringifyDocument } from '@urql/core'
import type { Client } from 'graphql-ws'
import { type FaultWords, faultFromError } from './fault-words.ts'

export interface Hearer<Result> {
  up?(): void
  next(result: Result): void
  /** Refused by the server: the document is at fault, not the connection. */
  refused?(fault: FaultWords): void
  down(closeCode: number | null): void
}
interface SocketRequest<Result, Variables> {
  document: TypedDocumentNode<Result, Variables> | string
  variables: Variables
  /** Needed where the document holds more than one operation. */
  operationName?: string | undefined
}
export interface Socket {
  subscribe<Result, Variables extends object>(
    request: SocketRequest<Result, Variables>,
    hearer: Hearer<Result>,
  ): () => void
  hangUp(): void
}

interface Identity {
  token(): Promise<string | null>
  tenantId(): string | null
}

/**
 * One socket for all subscriptions. It never reconnects by itself: whoever subscribed knows from
 * where to resume.
 */
export function createSocket(identity: Identity): Socket {
  let connected = false
  let opened: Promise<Client> | null = null
  // No page waits for it, so neither does it for what it is made with.
  const open = () => {
    opened ??= clientFor(identity, (is) => (connected = is))
    opened.catch(() => (opened = null))
    return opened
  }

  function subscribe<Result, Variables extends object>(
    request: SocketRequest<Result, Variables>,
    hearer: Hearer<Result>,
  ) {
    let stop: (() => void) | null = null
    let ended = false
    const begin = (client: Client) => {
      if (ended) return
      stop = listen(client, request, hearer)
      if (connected) hearer.up?.()
    }
    open().then(begin, () => ended || hearer.down(null))
    return () => {
      ended = true
      stop?.()
    }
  }
  return {
    subscribe,
    hangUp: () => void opened?.then((client) => client.terminate()).catch(() => null),
  }
}

async function clientFor(
  identity: Identity,
  onChange: (isConnected: boolean) => void,
): Promise<Client> {
  const { createClient } = await import('graphql-ws')
  const client = createClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    retryAttempts: 0,
    keepAlive: 12_000,
    lazyCloseTimeout: 1_000,
    connectionParams: async () => {
      const tenantId = identity.tenantId()
      return {
        authorization: `Bearer ${await identity.token()}`,
        ...(tenantId ? { tenantId } : {}),
      }
    },
  })
  client.on('connected', () => onChange(true))
  client.on('closed', () => onChange(false))
  return client
}

function listen<Result, Variables extends object>(
  client: Client,
  { document, variables, operationName }: SocketRequest<Result, Variables>,
  hearer: Hearer<Result>,
): () => void {
  let ended = false
  const query = typeof document === 'string' ? document : stringifyDocument(document)
  const stopListening = client.on('connected', () => hearer.up?.())
  const finish = (closeCode: number | null) => {
    stopListening()
    if (!ended) hearer.down(closeCode)
    ended = true
  }
  const stop = client.subscribe<Result>(
    {
      query,
      // urql types variables wider than graphql-ws does.
      variables: { ...variables } as Record<string, unknown>,
      ...(operationName ? { operationName } : {}),
    },
    {
      next(answer) {
        if (answer.data) hearer.next(answer.data)
        else if (answer.errors) hearer.refused?.(faultFromError(toError(answer.errors)))
      },
      error(cause) {
        if (Array.isArray(cause)) hearer.refused?.(faultFromError(toError(cause)))
        finish(cause instanceof CloseEvent ? cause.code : null)
      },
      complete: () => finish(null),
    },
  )
  return () => {
    ended = true
    stopListening()
    stop()
  }
}

function toError(errors: readonly { message: string; extensions?: unknown }[]) {
  return {
    message: errors[0]?.message ?? '',
    graphQLErrors: errors.map(({ message, extensions }) => ({
      message,
      // An object by GraphQL's response format.
      extensions: { ...(extensions as object | undefined) },
    })),
  }
}
