import { type DocsOperation, operationHtml } from './docs-operation.ts'
import { type Html, html } from './html.ts'
import { faultCodes } from '../../model/fault.ts'
import { type OpenApi } from './openapi.ts'

/**
 * Renders the documentation of the REST interface, an OpenAPI document, as one self-contained page.
 * Only search, copy and the forms that send a request need a script.
 */
export function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): DocsOperation => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
  const tags = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags: of }) => of.includes(tag.name)),
  }))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>REST API · Berth</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/api-docs.css" />
        <script src="/theme.js"></script>
        <script src="/api-docs.js" type="module"></script>
      </head>
      <body>
        <header>
          <h1>Berth REST API</h1>
          <p class="soft">
            ${document.info.version} · ${operations.length} operations ·
            <a href="/api/v1/openapi.json">openapi.json</a> · <a href="/">Console</a>
          </p>
          <p>${document.info.description}</p>
          <label for="find">Search</label>
          <input
            id="find"
            type="search"
            autocomplete="off"
            placeholder="A path, a word, an operation"
          />
          <p id="found" class="soft" role="status"></p>
        </header>
        <div class="columns">
          <nav aria-label="Parts">${tags.map(linkHtml)}</nav>
          <main>${tags.map(sectionHtml)}${problemHtml()}</main>
        </div>
      </body>
    </html> `.text
}

interface Tag {
  name: string
  description: string
  operations: readonly DocsOperation[]
}

const anchorOf = (name: string): string => `tag-${name.toLowerCase().replaceAll(/\W+/g, '-')}`

const linkHtml = ({ name, operations }: Tag): Html =>
  html`<a href="#${anchorOf(name)}">${name} <span class="soft">${operations.length}</span></a>`

const sectionHtml = ({ name, description, operations }: Tag): Html =>
  html`<section>
    <h2 id="${anchorOf(name)}">${name}</h2>
    <p class="soft">${description}</p>
    ${operations.map(operationHtml)}
  </section> `

function problemHtml(): Html {
  return html`<section>
    <h2 id="refusals">Refusals</h2>
    <p>
      A refused request gets <code>application/problem+json</code>: a sentence in
      <code>detail</code>, what to do in <code>remedy</code>, the invalid fields in
      <code>fields</code> and one of these codes in <code>code</code>:
    </p>
    <p class="codes">${faultCodes.map((code) => html`<code>${code}</code> `)}</p>
  </section>`
}
