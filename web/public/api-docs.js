// Search, copy buttons and request forms of /api/v1/docs. The rest works without this script.
import { addRequestForm } from '/api-docs-request.js'

const find = document.querySelector('#find')
const found = document.querySelector('#found')
const operations = [...document.querySelectorAll('.operation')]

function search() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const operation of operations) {
    const isMatch = words.every((word) => operation.dataset.find.includes(word))
    operation.hidden = !isMatch
    if (isMatch) count += 1
  }
  for (const section of document.querySelectorAll('main section'))
    section.hidden = words.length > 0 && !section.querySelector('.operation:not([hidden])')
  found.textContent = words.length === 0 ? '' : `${count} of ${operations.length} operations`
}

/** Opens the operation that the URL's fragment names. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView()
}

document.addEventListener('click', async ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.dataset.copy === undefined) return
  // Browsers offer the clipboard to secure pages only. Elsewhere the user selects the line by hand.
  await navigator.clipboard?.writeText(target.dataset.copy)
  target.textContent = navigator.clipboard ? 'Copied' : 'Select the line'
})
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return
    history.replaceState(null, '', `#${target.id}`)
    addRequestForm(target)
  },
  true,
)
find.addEventListener('input', search)
addEventListener('hashchange', openNamed)
openNamed()
