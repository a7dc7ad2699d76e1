import { type DocsField, exampleOf, fieldsOf, typeOf } from './docs-fields.ts'
import { type Html, html, prose } from './html.ts'
import { type OpenApiOperation } from './openapi.ts'
import { type OpenApiResponse } from './responses.ts'
import { type Schema } from '../json-schema.ts'

export interface DocsOperation extends OpenApiOperation {
  method: string
  path: string
}

/** Renders one endpoint of the REST documentation as a collapsed section. */
export const operationHtml = (operation: DocsOperation): Html => {
  const { method, path, operationId, summary, description, security } = operation
  return html`<details
    class="operation"
    id="${operationId}"
    data-find="${`${method} ${path} ${summary} ${operationId}`.toLowerCase()}"
  >
    <summary>
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      <span class="says">${summary}</span>
    </summary>
    <div class="inside">
      <p class="soft">
        <code>${operationId}</code>${security.length === 0 ? html` · no credential needed` : null}
      </p>
      <p>${prose(description)}</p>
      ${parametersHtml(operation)}${requestHtml(operation)}${answersHtml(operation)}${refusalsHtml(operation)}${curlHtml(operation)}
    </div>
  </details> `
}

function parametersHtml({ parameters }: DocsOperation): Html | null {
  if (parameters.length === 0) return null
  const rows = parameters.map(({ name, in: location, schema, required, description }) =>
    row({
      path: name,
      type: `${typeOf(schema)}, ${location}`,
      isRequired: required ?? false,
      description: description ?? '',
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

const row = ({ path, type, isRequired, description }: DocsField): Html =>
  html`<tr>
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

/** Renders a curl command. `$BERTH` is the base URL and `$TOKEN` the credential. */
function curlHtml(operation: DocsOperation): Html {
  const { method, path, security, requestBody } = operation
  const words = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    `"$BERTH${path.replaceAll(/\{(\w+)\}/g, '<$1>')}"`,
  ]
  if (security.length > 0) words.push('-H', '"authorization: Bearer $TOKEN"')
  if (requestBody)
    words.push(
      '-H',
      `'content-type: application/json'`,
      '-d',
      `'${JSON.stringify(exampleOf(requestBody.content['application/json'].schema))}'`,
    )
  const line = words.join(' ')
  return html`<h3>Example</h3>
    <div class="curl">
      <pre tabindex="0"><code>${line}</code></pre>
      <button type="button" data-copy="${line}">Copy</button>
    </div>`
}
