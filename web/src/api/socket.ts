import { type TypedDocumentNode, stringifyDocument } from '@urql/core'
import type { Client } from 'graphql-ws'
import { type FaultMessage, faultFromError } from './fault-message.ts'

export interface SocketListener<Result> {
  connected?(): void
  next(result: Result): void
  /** The server refused the document. The connection itself is fine. */
  refused?(fault: FaultMessage): void
  disconnected(closeCode: number | null): void
}
interface SocketRequest<Result, Variables> {
  document: TypedDocumentNode<Result, Variables> | string
  variables: Variables
  /** Required when the document has more than one operation. */
  operationName?: string | undefined
}
export interface Socket {
  subscribe<Result, Variables extends object>(
    request: SocketRequest<Result, Variables>,
    listener: SocketListener<Result>,
  ): () => void
  disconnect(): void
}

interface Identity {
  token(): Promise<string | null>
  tenantId(): string | null
}

/**
 * Creates the one socket of all subscriptions. It never reconnects by itself, because only the
 * subscriber knows the cursor from which to resume.
 */
export function createSocket(identity: Identity): Socket {
  let isConnected = false
  let opened: Promise<Client> | null = null
  // The library is loaded on the first subscription, so that no page waits for it.
  const open = () => {
    opened ??= clientFor(identity, (is) => (isConnected = is))
    opened.catch(() => (opened = null))
    return opened
  }

  function subscribe<Result, Variables extends object>(
    request: SocketRequest<Result, Variables>,
    listener: SocketListener<Result>,
  ) {
    let stop: (() => void) | null = null
    let ended = false
    const begin = (client: Client) => {
      if (ended) return
      stop = listen(client, request, listener)
      if (isConnected) listener.connected?.()
    }
    open().then(begin, () => ended || listener.disconnected(null))
    return () => {
      ended = true
      stop?.()
    }
  }
  return {
    subscribe,
    disconnect: () => void opened?.then((client) => client.terminate()).catch(() => null),
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
  listener: SocketListener<Result>,
): () => void {
  let ended = false
  const query = typeof document === 'string' ? document : stringifyDocument(document)
  const stopListening = client.on('connected', () => listener.connected?.())
  const finish = (closeCode: number | null) => {
    stopListening()
    if (!ended) listener.disconnected(closeCode)
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
        if (answer.data) listener.next(answer.data)
        else if (answer.errors) listener.refused?.(faultFromError(toError(answer.errors)))
      },
      error(cause) {
        if (Array.isArray(cause)) listener.refused?.(faultFromError(toError(cause)))
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
      // GraphQL's response format requires an object.
      extensions: { ...(extensions as object | undefined) },
    })),
  }
}
