/** Options of every command that looks whose access changes. */
export const parameterHelp =
  "a parameter that requests bring; several times. A policy without its parameters is not judged";
export const claimsHelp =
  "claims of the tokens that subjects call with, JSON or YAML: the same token for all, unless --signed-in";
export const signedInHelp =
  "every subject calls with a token of its own, whose sub is its id; without it and --claims no subject is signed in";
