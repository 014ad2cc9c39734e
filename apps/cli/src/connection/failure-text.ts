/** Why `fetch` failed: the message of its error only says that it did, the cause has the reason. */
export const failureText = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== "") return cause.message;
  // Where no address of a host can be reached, one error stands for all of them: it has a code and no message.
  return "code" in cause ? String(cause.code) : cause.name;
};
