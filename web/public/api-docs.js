// Searching and copying on the page of /api/v1/docs; everything else on it is there without this.
const find = document.querySelector('#find')
const found = document.querySelector('#found')
const operations = [...document.querySelectorAll('.operation')]

function search() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const operation of operations) {
    const isMeant = words.every((word) => operation.dataset.find.includes(word))
    operation.hidden = !isMeant
    if (isMeant) count += 1
  }
  for (const section of document.querySelectorAll('main section'))
    section.hidden = words.length > 0 && !section.querySelector('.operation:not([hidden])')
  found.textContent = words.length === 0 ? '' : `${count} of ${operations.length} operations`
}

/** An address with an operation in it opens that. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView()
}

document.addEventListener('click', async ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.dataset.copy === undefined) return
  // Browsers offer the clipboard to secure pages only; elsewhere the line can still be selected by
  // hand.
  await navigator.clipboard?.writeText(target.dataset.copy)
  target.textContent = navigator.clipboard ? 'Copied' : 'Select the line'
})
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open)
      history.replaceState(null, '', `#${target.id}`)
  },
  true,
)
find.addEventListener('input', search)
addEventListener('hashchange', openNamed)
openNamed()
