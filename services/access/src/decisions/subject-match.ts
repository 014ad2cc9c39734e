import type { StoredKbacPolicy } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import type { Question } from "./candidates.ts";

/**
 * Rejects the bearer token of another subject as soon as one candidate is `3.0-kbac`.
 *
 * @throws Problem "subject_mismatch" (403).
 */
export const requireOwnSubject = (candidates: readonly StoredKbacPolicy[], question: Question): void => {
  const { token, subject } = question;
  // A subject search names no subject: its results are limited instead.
  if (token === undefined || subject.id === undefined || token.subject === subject.id) return;
  if (candidates.some(({ policy }) => policy.version === "3.0-kbac")) throw new Problem("subject_mismatch");
};
