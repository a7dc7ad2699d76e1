// This is old JavaScript without dependencies: it must run on every Node.js, to report that it is
// too old.
var required = 26
var current = parseInt(process.versions.node, 10)
if (current < required) {
  var platform = process.platform + '-' + process.arch
  var bundled = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
  var remedy =
    bundled.indexOf(platform) >= 0
      ? 'Start Berth with `npm start`, which brings its own.'
      : 'There is no bundled Node.js for ' +
        platform +
        ': install one from your system and start again.'
  process.stderr.write(
    'Berth needs Node.js ' +
      required +
      ' or newer; here is v' +
      process.versions.node +
      '. ' +
      remedy +
      '\n',
  )
  process.exit(1)
}
