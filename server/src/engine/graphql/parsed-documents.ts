import { type DocumentNode } from 'graphql'
import { DocumentCache } from './document-cache.ts'

/** The parsed documents of callers, in the form that Apollo Server stores them. */
export class ParsedDocuments {
  readonly #documents = new DocumentCache<DocumentNode>()

  get(key: string): Promise<DocumentNode | undefined> {
    return Promise.resolve(this.#documents.find(key))
  }

  set(key: string, document: DocumentNode): Promise<void> {
    this.#documents.add(key, document, document.loc?.source.body.length ?? 0)
    return Promise.resolve()
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.#documents.delete(key))
  }
}
