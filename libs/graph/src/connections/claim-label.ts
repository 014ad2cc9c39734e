/** Label of the one node that names the owner of a database, and the version of its data. */
export const claimLabel = "_Claim";
