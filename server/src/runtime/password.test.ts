import { expect, test } from 'vitest'
import { PasswordsBusy, createPasswords } from './password.ts'

test('a password matches its own hash and no other, and two hashes of it differ', async () => {
  const passwords = createPasswords()
  const [one, two] = await Promise.all([
    passwords.hash('correct horse'),
    passwords.hash('correct horse'),
  ])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(one).not.toBe(two)
  expect(await passwords.verify('correct horse', one)).toBe(true)
  expect(await passwords.verify('correct horsf', one)).toBe(false)
  expect(await passwords.verify('correct horse', null)).toBe(false)
})

test('a hash with other costs still verifies, so the costs can be raised later', async () => {
  // The reference value of argon2id for password "password", salt "somesalt", m=65536, t=2, p=1.
  const reference =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await createPasswords().verify('password', reference)).toBe(true)
})

test('a password is refused immediately when the queue is full', async () => {
  const passwords = createPasswords({ atOnce: 1, waiting: 2 })
  const admitted = [1, 2, 3].map(() => passwords.hash('correct horse'))
  await expect(passwords.hash('correct horse')).rejects.toBeInstanceOf(PasswordsBusy)
  await Promise.all(admitted)
  expect(await passwords.hash('correct horse')).toContain('argon2id')
})
