// Runs before the first paint, so that a chosen theme never flashes the other one.
const [, theme] = /(?:^|; )berth-theme=(light|dark)(?:;|$)/.exec(document.cookie) ?? []
if (theme) document.documentElement.dataset.theme = theme
