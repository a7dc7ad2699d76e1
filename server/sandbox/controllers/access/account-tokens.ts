import { accountUser } from '../../apiserver/authentication/account.ts'
import { type Tokens, issuer } from '../../apiserver/authentication/tokens.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'

const isForAccount = (secret: KubeObject): boolean =>
  secret.type === 'kubernetes.io/service-account-token'
const named = ({ metadata }: KubeObject, what: 'name' | 'uid'): string =>
  metadata.annotations?.[`kubernetes.io/service-account.${what}`] ?? ''

function secretsOf({ metadata: { name, namespace } }: KubeObject, desk: Desk): KubeObject[] {
  return desk
    .list('secrets', namespace)
    .filter((secret) => isForAccount(secret) && named(secret, 'name') === name)
}

/** Fills service account token Secrets, and deletes those whose service account is gone. */
export const accountTokens = (tokens: Tokens, ca: string): Controller => ({
  name: 'serviceaccount-token-controller',
  sources: [
    { kind: 'secrets', keysOf: (secret) => (isForAccount(secret) ? ownKey(secret) : []) },
    {
      kind: 'serviceaccounts',
      keysOf: (account, desk) => secretsOf(account, desk).flatMap(ownKey),
    },
  ],
  reconcile(desk, { namespace = '', name }) {
    const secret = desk.get('secrets', namespace, name)
    if (!secret || !isForAccount(secret)) return undefined
    const account = desk.get('serviceaccounts', namespace, named(secret, 'name'))
    const [uid, known] = [account?.metadata.uid ?? '', named(secret, 'uid')]
    if (!account || (known !== '' && known !== uid)) desk.remove('secrets', secret)
    else if (dig.text(secret, 'data.token') === '')
      desk.change('secrets', secret, filledFor(account, secret, { tokens, ca }))
    return undefined
  },
})

function filledFor(
  account: KubeObject,
  secret: KubeObject,
  { tokens, ca }: { tokens: Tokens; ca: string },
): KubeObject {
  const { name, namespace = '', uid = '' } = account.metadata
  const identified = ({ metadata }: KubeObject) => ({ name: metadata.name, uid: metadata.uid })
  const claims = { namespace, serviceaccount: identified(account), secret: identified(secret) }
  const token = tokens.issue(
    { sub: accountUser({ namespace, name }), 'kubernetes.io': claims },
    { audiences: [issuer] },
  )
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  const annotations = { ...secret.metadata.annotations, 'kubernetes.io/service-account.uid': uid }
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations },
    data: {
      ...dig.map(secret, 'data'),
      'ca.crt': encoded(ca),
      namespace: encoded(namespace),
      token: encoded(token),
    },
  }
}
