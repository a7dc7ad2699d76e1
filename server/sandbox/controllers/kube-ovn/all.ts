import { type Controller } from '../controller.ts'
import { subnets } from './subnets.ts'
import { vpcs } from './vpcs.ts'

export const kubeOvnControllers: readonly Controller[] = [vpcs, subnets]
