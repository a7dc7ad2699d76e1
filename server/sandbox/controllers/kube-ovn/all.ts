import { type Controller } from '../controller.ts'
import { subnets } from './subnets.ts'
import { vpcs } from './vpcs.ts'

/** The controllers of Kube-OVN, for sandboxes with that component. */
export const kubeOvnControllers: readonly Controller[] = [vpcs, subnets]
