// Runs before the first paint, so that the page never flashes in the other theme.
const [, theme] = /(?:^|; )berth-theme=(light|dark)(?:;|$)/.exec(document.cookie) ?? []
if (theme) document.documentElement.dataset.theme = theme
