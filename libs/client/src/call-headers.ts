/** What a call of the data plane says besides its body. */
export interface CallHeaders {
  readonly bearer?: string | undefined;
  readonly consistencyToken?: string | undefined;
  readonly explain?: boolean | undefined;
}

export const callHeaders = ({ bearer, consistencyToken, explain }: CallHeaders): Record<string, string> => ({
  ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  ...(consistencyToken !== undefined && { "x-consistency-token": consistencyToken }),
  ...(explain === true && { "x-explain": "true" }),
});
