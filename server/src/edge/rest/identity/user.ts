import { NounRoutes, noContent } from '../../../engine/rest/noun-routes.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { newUser, user, userChange } from './user-shape.ts'

const users = new NounRoutes({ tag: 'Users', path: '/api/v1/users', type: 'User', shape: user })

export const userRoutes: RestRoute[] = [
  users.list('List the users of the tenant', { sorts: ['created_at', 'username'] }),
  users.get('Get a user'),
  users.create('Create a user', { body: newUser }),
  users.update('Update a user', { body: userChange }),
  users.delete('Delete a user', noContent),
  users.act('Remove the second factor of a user who lost the device', '/reset-second-factor', {
    mutation: 'ResetSecondFactor',
  }),
]
