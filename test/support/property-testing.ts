import fc from 'fast-check'
import { testSeed } from './seed.ts'

// Property tests import fast-check from here, so that all of them use the seed of the run.
fc.configureGlobal({ seed: testSeed })

export { default as fc } from 'fast-check'
