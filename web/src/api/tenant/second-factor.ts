import { graphql } from '../graphql.ts'

export const secondFactorDocuments = {
  show: graphql(`
    query SecondFactor {
      viewer {
        id
        secondFactor {
          confirmedAt
          recoveryCodesLeft
          isAvailable
          isRequired
        }
      }
    }
  `),
  begin: graphql(`
    mutation BeginSecondFactor($input: BeginSecondFactorInput!) {
      beginSecondFactor(input: $input) {
        secret
        url
      }
    }
  `),
  confirm: graphql(`
    mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {
      confirmSecondFactor(input: $input) {
        recoveryCodes
      }
    }
  `),
  renewCodes: graphql(`
    mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {
      renewRecoveryCodes(input: $input) {
        recoveryCodes
      }
    }
  `),
  disable: graphql(`
    mutation DisableSecondFactor($input: DisableSecondFactorInput!) {
      disableSecondFactor(input: $input) {
        user {
          id
        }
      }
    }
  `),
  reset: graphql(`
    mutation ResetSecondFactor($input: ResetSecondFactorInput!) {
      resetSecondFactor(input: $input) {
        user {
          id
          hasSecondFactor
        }
      }
    }
  `),
  require: graphql(`
    mutation RequireSecondFactor($input: RequireSecondFactorInput!) {
      requireSecondFactor(input: $input) {
        tenant {
          id
          requiresSecondFactor
        }
      }
    }
  `),
}
