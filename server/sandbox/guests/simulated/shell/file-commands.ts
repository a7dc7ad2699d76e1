import { type Command, CommandError, type Invocation } from './shell.ts'
import { FileError } from '../disks/files.ts'

const flagsOf = (args: readonly string[]): string =>
  args.filter((each) => /^-\w/.test(each)).join('')
const pathsIn = (args: readonly string[]): string[] => args.filter((each) => !/^-\w/.test(each))

/** Runs a command for every path. An error names the path, as the programs of coreutils do. */
function each(paths: readonly string[], act: (path: string) => string, verb = ''): string {
  return paths
    .map((path) => {
      try {
        return act(path)
      } catch (error) {
        if (error instanceof FileError)
          throw new CommandError(`${verb}${verb === '' ? path : `'${path}'`}: ${error.message}`)
        throw error
      }
    })
    .join('')
}

function listed({ shell, guest, args }: Invocation): string {
  const { files } = guest
  const flags = flagsOf(args)
  const pathArgs = pathsIn(args)
  const paths = pathArgs.length === 0 ? ['.'] : pathArgs
  return each(
    paths,
    (path) => {
      const fullPath = shell.path(path)
      const names = files.isFolder(fullPath)
        ? files.list(fullPath).filter((name) => flags.includes('a') || !name.startsWith('.'))
        : [path]
      if (!files.exists(fullPath)) throw new FileError('No such file or directory')
      if (names.length === 0) return ''
      if (!flags.includes('l')) return `${names.join('  ')}\n`
      return names
        .map(
          (name) =>
            `${long(files.isFolder(fullPath) ? `${fullPath}/${name}` : fullPath, name, guest)}\n`,
        )
        .join('')
    },
    'cannot access ',
  )
}

function long(fullPath: string, name: string, { files }: Invocation['guest']): string {
  const path = fullPath.replace('//', '/')
  const isFolder = files.isFolder(path)
  const size = isFolder ? 4096 : files.read(path).length
  return `${isFolder ? 'drwxr-xr-x' : '-rw-r--r--'} 1 root root ${String(size).padStart(6)} ${name}`
}

/** Commands of the simulated shell that read and write files. */
export const fileCommands: Readonly<Record<string, Command>> = {
  echo: ({ args }) => {
    const [first, ...rest] = args
    if (first === '-n') return rest.join(' ')
    if (first === '-e') return `${rest.join(' ').replaceAll('\\n', '\n').replaceAll('\\t', '\t')}\n`
    return `${args.join(' ')}\n`
  },
  cat: ({ shell, guest, args, input }) =>
    args.length === 0 ? input : each(pathsIn(args), (path) => guest.files.read(shell.path(path))),
  ls: listed,
  cd({ shell, guest, args }) {
    const folder = shell.path(args[0] ?? '~')
    if (!guest.files.isFolder(folder))
      throw new CommandError(
        `${args[0] ?? folder}: ${guest.files.exists(folder) ? 'Not a directory' : 'No such file or directory'}`,
      )
    shell.folder = folder
    return ''
  },
  pwd: ({ shell }) => `${shell.folder}\n`,
  touch: ({ shell, guest, args }) =>
    each(
      pathsIn(args),
      (path) => {
        if (!guest.files.exists(shell.path(path))) guest.files.write(shell.path(path), '')
        return ''
      },
      'cannot touch ',
    ),
  mkdir: ({ shell, guest, args }) =>
    each(
      pathsIn(args),
      (path) => {
        guest.files.makeFolder(shell.path(path), { withParents: flagsOf(args).includes('p') })
        return ''
      },
      'cannot create directory ',
    ),
  rm: ({ shell, guest, args }) =>
    each(
      pathsIn(args),
      (path) => {
        const fullPath = shell.path(path)
        const flags = flagsOf(args)
        if (flags.includes('f') && !guest.files.exists(fullPath)) return ''
        if (guest.files.isFolder(fullPath) && !/r/i.test(flags))
          throw new FileError('Is a directory')
        guest.files.remove(fullPath)
        return ''
      },
      'cannot remove ',
    ),
  tee({ shell, guest, args, input }) {
    const appends = flagsOf(args).includes('a')
    return `${each(pathsIn(args), (path) => {
      const fullPath = shell.path(path)
      guest.files.write(
        fullPath,
        (appends && guest.files.exists(fullPath) ? guest.files.read(fullPath) : '') + input,
      )
      return ''
    })}${input}`
  },
  grep({ shell, guest, args, input }) {
    const [pattern = '', ...paths] = pathsIn(args)
    const text =
      paths.length === 0 ? input : each(paths, (path) => guest.files.read(shell.path(path)))
    const found = text.split('\n').filter((line) => line !== '' && line.includes(pattern))
    return { output: found.map((line) => `${line}\n`).join(''), status: found.length > 0 ? 0 : 1 }
  },
  sync: () => '',
}
