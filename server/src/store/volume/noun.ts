import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { Volume } from './volume-entity.ts'
import { volumeKeys } from './volume-keys.ts'
import { VolumeReads } from './volume-reads.ts'
import { VolumeStore } from './volume.ts'

/** The part of the store for volumes: tables, queries and work keys for the reconciler. */
export const volumeNoun = {
  entities: [Volume],
  reads: { volumes: VolumeReads },
  stores: { volumes: VolumeStore },
  workKeys: { volume: volumeKeys },
  goneWithTenant: [Volume],
  constraints: {
    volume_name_key: messageOf('volume.name_taken_meanwhile'),
  },
} satisfies NounParts
