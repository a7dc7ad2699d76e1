import { accountUser } from '../../apiserver/authentication/account.ts'
import { type Tokens, issuer } from '../../apiserver/authentication/tokens.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'

const isForAccount = (secret: KubeObject): boolean =>
  secret.type === 'kubernetes.io/service-account-token'
const accountField = ({ metadata }: KubeObject, what: 'name' | 'uid'): string =>
  metadata.annotations?.[`kubernetes.io/service-account.${what}`] ?? ''

function secretsOf({ metadata: { name, namespace } }: KubeObject, client: Client): KubeObject[] {
  return client
    .list('secrets', namespace)
    .filter((secret) => isForAccount(secret) && accountField(secret, 'name') === name)
}

/** Fills service account token Secrets, and deletes those whose service account is gone. */
export const accountTokens = (tokens: Tokens, ca: string): Controller => ({
  name: 'serviceaccount-token-controller',
  sources: [
    { kind: 'secrets', keysOf: (secret) => (isForAccount(secret) ? ownKey(secret) : []) },
    {
      kind: 'serviceaccounts',
      keysOf: (account, client) => secretsOf(account, client).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace = '', name }) {
    const secret = client.get('secrets', namespace, name)
    if (!secret || !isForAccount(secret)) return undefined
    const account = client.get('serviceaccounts', namespace, accountField(secret, 'name'))
    const [uid, known] = [account?.metadata.uid ?? '', accountField(secret, 'uid')]
    if (!account || (known !== '' && known !== uid)) client.remove('secrets', secret)
    else if (dig.text(secret, 'data.token') === '')
      client.change('secrets', secret, withToken(account, secret, { tokens, ca }))
    return undefined
  },
})

function withToken(
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
