import { type Controller } from '../controller.ts'
import { subnets } from './subnets.ts'
import { routers } from './vpcs.ts'

export const kubeOvnControllers: readonly Controller[] = [routers, subnets]
