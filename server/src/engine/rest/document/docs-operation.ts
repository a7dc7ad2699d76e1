import { type DocsField, fieldsOf, typeOf } from './docs-fields.ts'
import { type Html, html, prose } from './html.ts'
import { type OpenApiOperation } from './openapi.ts'
import { type OpenApiResponse } from './responses.ts'
import { type Schema } from '../json-schema.ts'

export interface DocsOperation extends OpenApiOperation {
  method: string
  path: string
}

/**
 * Renders one endpoint of the REST documentation as a collapsed section: the reference, and beside
 * it the recorded example. The script adds a form that sends the request.
 */
export const operationHtml = (operation: DocsOperation): Html => {
  const { method, path, operationId, summary, description, security } = operation
  return html`<details
    class="operation"
    id="${operationId}"
    data-find="${`${method} ${path} ${summary} ${operationId}`.toLowerCase()}"
    data-method="${method}"
    data-path="${path}"
    data-public="${security.length === 0 ? 'yes' : 'no'}"
  >
    <summary>
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      <span class="says">${summary}</span>
    </summary>
    <div class="inside">
      <div>
        <p class="soft">
          <code>${operationId}</code>${security.length === 0 ? html` · no credential needed` : null}
        </p>
        <p>${prose(description)}</p>
        ${parametersHtml(operation)}${requestHtml(operation)}${answersHtml(operation)}${refusalsHtml(operation)}
      </div>
      <div class="samples">${curlHtml(operation)}${sampleHtml(operation)}</div>
    </div>
  </details> `
}

function parametersHtml({ parameters }: DocsOperation): Html | null {
  if (parameters.length === 0) return null
  const rows = parameters.map(({ name, in: location, schema, required, description, example }) =>
    row({
      path: name,
      type: `${typeOf(schema)}, ${location}`,
      isRequired: required ?? false,
      description,
      location,
      ...(example === undefined ? {} : { example: String(example) }),
    }),
  )
  return table('Parameters', rows)
}

function requestHtml({ requestBody }: DocsOperation): Html | null {
  return requestBody ? bodyHtml('Body', requestBody.content['application/json'].schema) : null
}

function bodyHtml(title: string, schema: Schema): Html {
  const rows = fieldsOf(schema).map(row)
  return rows.length > 0
    ? table(title, rows)
    : html`<p><strong>${title}</strong>: ${typeOf(schema)}</p>`
}

const isRefusal = (status: string): boolean => Number(status) >= 400

function answersHtml({ responses }: DocsOperation): Html[] {
  const answers = Object.entries(responses).filter(([status]) => !isRefusal(status))
  return answers.map(([status, { description, content }]) => {
    const [body] = Object.values(content ?? {})
    if (body) return bodyHtml(`${status} ${description.replaceAll('`', '')}`, body.schema)
    return html`<p><strong>${status}</strong> ${prose(description)} No body.</p>`
  })
}

function refusalsHtml({ responses }: DocsOperation): Html {
  const refusalHtml = ([status, { description }]: [string, OpenApiResponse]): Html =>
    html`<li><strong>${status}</strong> ${prose(description)}</li>`
  const refusals = Object.entries(responses).filter(([status]) => isRefusal(status))
  return html`<h3>Refusals</h3>
    <ul class="refusals">
      ${refusals.map(refusalHtml)}
    </ul>`
}

const row = ({ path, type, isRequired, description, location, example }: DocsField): Html =>
  html`<tr${location === undefined ? null : html` data-in="${location}"`}${example === undefined ? null : html` data-example="${example}"`}>
    <th scope="row"><code>${path}</code></th>
    <td>${type}</td>
    <td>${isRequired ? 'required' : ''}</td>
    <td>${prose(description)}</td>
  </tr>`

const table = (title: string, rows: readonly Html[]): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${title}">
    <table>
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Required</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`

/**
 * Renders the recorded request as a curl command. `$BERTH` is the base URL and `$TOKEN` the
 * credential.
 */
function curlHtml(operation: DocsOperation): Html {
  const { method, security, requestBody } = operation
  const body = requestBody?.content['application/json'].example
  const words = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    `"$BERTH${examplePath(operation)}"`,
  ]
  if (security.length > 0) words.push('-H', '"authorization: Bearer $TOKEN"')
  if (body !== undefined)
    words.push('-H', `'content-type: application/json'`, '-d', `'${JSON.stringify(body)}'`)
  const line = words.join(' ')
  return html`<h3>Example request</h3>
    <div class="sample" ${body === undefined ? null : html` data-body="${JSON.stringify(body)}"`}>
      <pre tabindex="0"><code>${line}</code></pre>
      <button type="button" data-copy="${line}">Copy</button>
    </div>`
}

/** Returns the path of the recorded request, without parameters that a request can leave out. */
function examplePath({ path, parameters }: DocsOperation): string {
  const named = parameters.filter(({ required, example }) => required && example !== undefined)
  const filled = named
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const query = named
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${String(example)}`)
    .join('&')
  return query === '' ? filled : `${filled}?${query}`
}

/** Renders the recorded answer. */
function sampleHtml({ responses }: DocsOperation): Html[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const example = Object.values(content ?? {})[0]?.example
    if (example === undefined) return []
    const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
    return [
      html`<h3>Example response, ${status}</h3>
        <div class="sample">
          <pre tabindex="0"><code>${text}</code></pre>
        </div>`,
    ]
  })
}
