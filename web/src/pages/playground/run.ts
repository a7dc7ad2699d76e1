import { Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql'
import { type Ref, ref } from 'vue'
import type { FaultMessage } from '../../api/fault-message.ts'
import type { Console } from '../../session/console.ts'
import { systemClock } from '../../runtime/clock.ts'
import { clockTime } from '../../format/time.ts'
import { number } from '../../i18n/number.ts'
import { t } from '../../i18n/t.ts'

export interface RunRequest {
  query: string
  variables: string
  cursor: number
}

/**
 * Runs one document with the user's session: queries and mutations over HTTP, subscriptions over
 * the socket.
 */
export class Runner {
  readonly answer: Ref<string> = ref('')
  readonly status: Ref<string> = ref('')
  readonly busy: Ref<boolean> = ref(false)
  readonly #berth: Console
  #stop: (() => void) | null = null
  #received: string[] = []

  constructor(berth: Console) {
    this.#berth = berth
  }

  async run(request: RunRequest) {
    this.stop()
    try {
      // The server checks the variables against the document.
      const variables = JSON.parse(request.variables.trim() || '{}') as object
      const operation = operationAt(request.query, request.cursor)
      if (operation?.operation === OperationTypeNode.SUBSCRIPTION)
        this.#listen(request.query, variables, operation.name?.value)
      else await this.#ask(request.query, variables, operation?.name?.value)
    } catch (error) {
      this.answer.value = JSON.stringify(
        { problem: error instanceof Error ? error.message : t('It could not be sent.') },
        null,
        2,
      )
      this.status.value = t('Not sent')
      this.busy.value = false
    }
  }

  stop() {
    if (!this.#stop) return
    this.#stop()
    this.#stop = null
    this.busy.value = false
    this.status.value = t('Stopped after {n} event | Stopped after {n} events', {
      n: this.#received.length,
    })
  }

  async #ask(query: string, variables: object, operationName: string | undefined) {
    this.busy.value = true
    this.status.value = ''
    const since = systemClock.now()
    const headers = {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
    }
    const response = await this.#berth.session.fetch('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables, operationName }),
    })
    const body = await response.text()
    this.answer.value = pretty(body)
    this.status.value = `${response.status} · ${number(systemClock.now() - since, 0)} ms · ${number(body.length / 1024, 1)} kB`
    this.busy.value = false
  }

  #listen(query: string, variables: object, operationName: string | undefined) {
    this.busy.value = true
    this.#received = []
    this.answer.value = ''
    this.status.value = t('Listening')
    this.#stop = this.#berth.socket.subscribe<object, object>(
      { document: query, variables, operationName },
      {
        next: (event) => this.#receive(JSON.stringify(event, null, 2)),
        refused: (fault) => this.#refuse(fault),
        disconnected: () => {
          this.#stop = null
          this.busy.value = false
          this.status.value = t(
            'The stream ended after {n} event | The stream ended after {n} events',
            { n: this.#received.length },
          )
        },
      },
    )
  }

  #receive(event: string) {
    this.#received.unshift(
      `// ${clockTime(systemClock.now())}, ${t('event {at}', { at: this.#received.length + 1 })}\n${event}`,
    )
    this.status.value = t('Listening · {n} event | Listening · {n} events', {
      n: this.#received.length,
    })
    this.answer.value = this.#received.slice(0, 100).join('\n\n')
  }

  #refuse({ code, sentence, remedy }: FaultMessage) {
    this.answer.value = JSON.stringify({ code, sentence, remedy }, null, 2)
  }
}

/** Returns the operation under the cursor, or else the first one. */
export function operationAt(query: string, cursor: number): OperationDefinitionNode | undefined {
  const operations = parse(query).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )
  return (
    operations.find(({ loc }) => loc && loc.start <= cursor && cursor <= loc.end) ?? operations[0]
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
