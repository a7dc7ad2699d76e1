// The forms of /api/v1/docs that send a request as the user of the console's session.

/** Adds the form of an operation, once. */
export function addRequestForm(operation) {
  const samples = operation.querySelector('.samples')
  if (samples.querySelector('form')) return
  const form = element('form', { className: 'try' })
  const answer = element('pre', { tabIndex: 0, hidden: true })
  form.append(element('h3', { textContent: 'Send it' }))
  for (const parameter of parametersOf(operation)) form.append(parameterField(parameter))
  if (bodyOf(operation)) form.append(bodyField(bodyOf(operation)))
  form.append(element('button', { textContent: `Send ${operation.dataset.method}` }), answer)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    answer.hidden = false
    answer.textContent = 'Sending'
    answer.textContent = await send(operation, form).catch((error) => String(error))
  })
  samples.append(form)
}

const element = (name, properties) => Object.assign(document.createElement(name), properties)

/** Lists the parameters in the table of the operation. */
const parametersOf = (operation) =>
  [...operation.querySelectorAll('tr[data-in]')].map((row) => ({
    name: row.querySelector('code').textContent,
    location: row.dataset.in,
    isRequired: row.cells[2].textContent === 'required',
    example: row.dataset.example ?? '',
  }))

/** Returns the recorded body of the request; undefined for an operation that has none. */
const bodyOf = (operation) => operation.querySelector('.samples [data-body]')?.dataset.body

function parameterField({ name, location, isRequired, example }) {
  const label = element('label', { textContent: `${name} ` })
  const input = element('input', { name, required: isRequired, placeholder: example })
  // The console keeps the tenant in which root acts.
  if (name === 'X-Tenant-ID') input.value = sessionStorage.getItem('berth.tenant') ?? ''
  input.dataset.in = location
  label.append(input)
  return label
}

function bodyField(body) {
  const label = element('label', { textContent: 'Body ' })
  const value = JSON.stringify(JSON.parse(body), null, 2)
  label.append(element('textarea', { name: 'body', rows: value.split('\n').length, value }))
  return label
}

/** Sends the request of the form and returns the answer as text. */
async function send(operation, form) {
  const token = await accessToken()
  const isPublic = operation.dataset.public === 'yes'
  if (!token && !isPublic) return 'Log in to the console in this browser, and send it again.'
  const { method } = operation.dataset
  const { url, headers } = target(operation, form)
  if (token) headers.authorization = `Bearer ${token}`
  const body = form.elements.namedItem('body')?.value
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(url, { method, headers, body })
  return `${response.status} ${response.statusText}\n\n${await textOf(response)}`
}

/** Returns the URL and the headers with the values of the form. */
function target(operation, form) {
  let { path } = operation.dataset
  const query = new URLSearchParams()
  const headers = {}
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (value === '') continue
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    if (dataset.in === 'query') query.set(name, value)
    if (dataset.in === 'header') headers[name] = value
  }
  return { url: query.size > 0 ? `${path}?${query}` : path, headers }
}

/** Reads an answer. An event stream does not end, so its first part counts as the answer. */
async function textOf(response) {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    const { value = '' } = await reader.read()
    await reader.cancel()
    return value
  }
  const text = await response.text()
  return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
}

const marginMs = 30_000
let grant = null

/** Returns an access token of the console's session; null when no user is logged in. */
async function accessToken() {
  if (grant && Date.parse(grant.expiresAt) - Date.now() > marginMs) return grant.accessToken
  const headers = { 'x-berth-session': '1' }
  const response = await fetch('/auth/session/refresh', { method: 'POST', headers })
  if ([204, 401, 403].includes(response.status)) return null
  if (!response.ok) throw new Error(`The session could not be renewed (${response.status}).`)
  grant = await response.json()
  return grant.accessToken
}
