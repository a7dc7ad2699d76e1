import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/*
 * The lists that only say which parts exist. `npm run fix` writes them, so that a new noun is files
 * of its own and no line in a list. A list that says more, such as an order, is written by hand.
 */

/** A file of lists. */
export interface ListFile {
  file: string
  /** The files whose exports it lists. */
  from: string
  lists: readonly ExportList[]
}

/** A list of the exports whose names match. */
interface ExportList {
  name: string
  comment: string
  exports: RegExp
  /** It contains the exports themselves, or by the kinds in their names, or their properties. */
  form: 'elements' | 'kinds' | 'properties'
}

const fixedFiles: readonly ListFile[] = [
  {
    file: 'server/src/store/nouns.ts',
    from: 'server/src/store/*/noun.ts',
    lists: [
      { name: 'nouns', comment: 'Every noun of the store.', exports: /Noun$/, form: 'elements' },
    ],
  },
  {
    file: 'server/src/reconcile/nouns.ts',
    from: 'server/src/reconcile/*/*.ts',
    lists: [
      {
        name: 'reconcilers',
        comment: 'Every reconciler.',
        exports: /Reconciler$/,
        form: 'elements',
      },
      {
        name: 'keySources',
        comment: 'Every source that enqueues reconciler keys, by the kind of its keys.',
        exports: /Source$/,
        form: 'kinds',
      },
    ],
  },
  {
    file: 'test/support/requests/nouns.ts',
    from: 'test/support/requests/*.ts',
    lists: [
      {
        name: 'nounFixtures',
        comment: 'A request for each REST route of the nouns.',
        exports: /(?<!^route)Fixtures$/,
        form: 'properties',
      },
      {
        name: 'nounMakers',
        comment: 'A function for each noun that creates one.',
        exports: /Makers$/,
        form: 'properties',
      },
      {
        name: 'nounForeignCases',
        comment: 'The cases of foreign ids that need no object of the caller.',
        exports: /^foreign.+Cases$/,
        form: 'elements',
      },
    ],
  },
  {
    file: 'schema/messages/en/en.ts',
    from: 'schema/messages/en/*.ts',
    lists: [
      {
        name: 'en',
        comment: 'The English messages. Every other language has the same keys and slots.',
        exports: /./,
        form: 'properties',
      },
    ],
  },
]

const filesOfLanguage = (language: string): ListFile[] => [
  {
    file: `schema/messages/${language}/catalogue.ts`,
    from: `schema/messages/${language}/*.ts`,
    lists: [
      {
        name: 'catalogue',
        comment: 'The messages of the server.',
        exports: /^(?!locale$)/,
        form: 'properties',
      },
    ],
  },
  {
    file: `schema/messages/${language}/console/texts.ts`,
    from: `schema/messages/${language}/console/*.ts`,
    lists: [
      {
        name: 'texts',
        comment: 'The texts of the console by their English.',
        exports: /(?<!codes)$/i,
        form: 'properties',
      },
      {
        name: 'codeLabels',
        comment: 'The words that the console derives from codes, such as `operation.create_vm`.',
        exports: /codes$/i,
        form: 'properties',
      },
    ],
  },
]

/** Returns the files of lists of a repository. A language is a folder with a `locale.ts`. */
export function listFiles(root: string): ListFile[] {
  const locales = globSync('schema/messages/*/locale.ts', { cwd: root }).sort()
  const languages = locales.map((file) => basename(dirname(file)))
  return [...fixedFiles, ...languages.flatMap(filesOfLanguage)]
}
