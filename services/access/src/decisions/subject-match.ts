import type { StoredKbacPolicy } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import type { Question } from "./candidates.ts";

/**
 * Refuses a bearer token of somebody else as soon as one candidate is `3.0-kbac`.
 *
 * @throws Problem "subject_mismatch" (403).
 */
export const requireOwnSubject = (candidates: readonly StoredKbacPolicy[], question: Question): void => {
  const { token, subject } = question;
  // Who is searched for is nobody yet: there the results are limited instead.
  if (token === undefined || subject.id === undefined || token.subject === subject.id) return;
  if (candidates.some(({ policy }) => policy.version === "3.0-kbac")) throw new Problem("subject_mismatch");
};
