import { expect, test } from 'vitest'
import { originFindings } from './origins.ts'

test.for([
  ['index.html', '<script type="module" src="https://cdn.example/vue.js"></script>'],
  ['index.html', '<link rel="stylesheet" href="//fonts.example/inter.css">'],
  ['index.html', '<img src="https://github.com/logo.png">'],
  ['style.css', '@font-face { src: url(https://fonts.example/inter.woff2) }'],
  ['style.css', '@import "https://fonts.example/inter.css";'],
  ['app.js', 'fetch("https://api.iconify.design/lucide.json")'],
  ['app.js', 'import("https://esm.example/vue")'],
] as const)('the check reports another origin in %s: %s', ([file, text]) => {
  expect(originFindings(file, text)).not.toEqual([])
})

test.for([
  '"http://www.w3.org/2000/svg"',
  '"see https://vuejs.org/error-reference/#runtime-0"',
  'new URL(path, "http://localhost")',
  'src="/assets/app.js"',
])('the check accepts an address that is only text: %s', (text) => {
  expect(originFindings('app.js', text)).toEqual([])
})
