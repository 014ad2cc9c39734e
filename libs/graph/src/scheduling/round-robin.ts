import { type ProjectShare, rankOf, type WaitingStatement } from "./project-share.ts";

/** Database milliseconds that a project gets per round. */
const quantumMs = 20;
/** Limit of the debt and of the credit of a project, in milliseconds: the limit of a query. */
const maxCreditMs = 30_000;

/**
 * Deficit round robin over projects by database time: each has a credit, which its statements use up and each round raises. Of
 * the projects with credit the one with the first class is served, so a project that floods one class uses up its credit and
 * then waits for the others.
 */
export class RoundRobin {
  /** Projects with waiting statements, the one whose turn it is first. */
  readonly #ring = new Set<ProjectShare>();

  /** Adds a project with its first waiting statement: its credit is at most that of a round, and at least the lowest of the others. */
  add(share: ProjectShare): void {
    if (this.#ring.has(share)) return;
    let least = Infinity;
    for (const { credit } of this.#ring) least = Math.min(least, credit);
    share.credit = this.#ring.size === 0 ? 0 : Math.min(quantumMs, Math.max(share.credit, least));
    this.#ring.add(share);
  }

  remove(share: ProjectShare): void {
    this.#ring.delete(share);
  }

  /** Uses up credit of a project; a negative time gives credit back that was taken for a longer statement. */
  charge(share: ProjectShare, ms: number): void {
    share.credit = Math.max(-maxCreditMs, Math.min(maxCreditMs, share.credit - ms));
  }

  /** The statement to start next, or undefined when none may be started now. */
  next(now: number, mayStart: (statement: WaitingStatement) => boolean): WaitingStatement | undefined {
    const heads: WaitingStatement[] = [];
    for (const share of this.#ring) {
      const head = share.next(now, mayStart);
      if (head !== undefined) heads.push(head);
    }
    const most = Math.max(...heads.map(({ share }) => share.credit));
    if (heads.length > 0 && most <= 0) this.#raise(Math.floor(-most / quantumMs) + 1);
    let best: WaitingStatement | undefined;
    for (const head of heads) {
      if (head.share.credit <= 0) continue;
      if (best === undefined || rankOf(head, now) < rankOf(best, now)) best = head;
    }
    if (best !== undefined) {
      // To the end of the ring: among equals the others come first.
      this.#ring.delete(best.share);
      this.#ring.add(best.share);
    }
    return best;
  }

  /** Milliseconds until a throttled project may send its next statement, if there is one. */
  restMs(now: number): number | undefined {
    const rests = [...this.#ring].map(({ pace }) => pace.restMs(now)).filter((ms) => ms > 0);
    return rests.length === 0 ? undefined : Math.min(...rests);
  }

  /** Every project that waits gets its quantum, whether it may start something now or not. */
  #raise(rounds: number): void {
    for (const share of this.#ring) share.credit = Math.min(maxCreditMs, share.credit + rounds * quantumMs);
  }
}
