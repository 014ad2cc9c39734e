/** Help texts of the options of every command that simulates changes of access. */
export const parameterHelp =
  "input parameter of requests; repeatable. Policies whose parameters are missing are not evaluated";
export const claimsHelp =
  "file with token claims (JSON or YAML); all subjects use the same token unless --signed-in is set";
export const signedInHelp =
  "each subject uses its own token, whose sub is its id; without this option and --claims no subject is signed in";
