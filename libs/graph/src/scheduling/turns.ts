import type { ProjectShare, WaitingStatement } from "./project-share.ts";
import { RoundRobin } from "./round-robin.ts";
import type { Share } from "./share.ts";

type MayStart = (statement: WaitingStatement) => boolean;

/** The turn of an organization, which its projects take one after the other. */
class OrganizationTurn {
  readonly projects = new RoundRobin<WaitingStatement, ProjectShare>();
  readonly #share: Share;

  constructor(share: Share) {
    this.#share = share;
  }

  get credit(): number {
    return this.#share.credit;
  }

  set credit(ms: number) {
    this.#share.credit = ms;
  }

  next(now: number, mayStart: MayStart): WaitingStatement | undefined {
    return this.projects.next(now, mayStart);
  }
}

/** Whose statement is started next: organizations take turns, and the projects of each among themselves. */
export class Turns {
  readonly #organizations = new RoundRobin<WaitingStatement, OrganizationTurn>();
  /** Of organizations whose projects have waiting statements. */
  readonly #turns = new Map<Share, OrganizationTurn>();

  /** Adds a project with its first waiting statement. */
  add(share: ProjectShare): void {
    const turn = this.#turnOf(share.organization);
    turn.projects.add(share);
    this.#organizations.add(turn);
  }

  /** Takes out a project without waiting statements. */
  remove(share: ProjectShare): void {
    const turn = this.#turnOf(share.organization);
    turn.projects.remove(share);
    if (turn.projects.size > 0) return;
    this.#organizations.remove(turn);
    this.#turns.delete(share.organization);
  }

  /** The statement to start next, or undefined when none may be started now. */
  next(now: number, mayStart: MayStart): WaitingStatement | undefined {
    const statement = this.#organizations.next(now, mayStart);
    if (statement !== undefined) {
      const turn = this.#turnOf(statement.share.organization);
      turn.projects.rotate(statement.share);
      this.#organizations.rotate(turn);
    }
    return statement;
  }

  /** Milliseconds until a throttled project may send its next statement, if there is one. */
  restMs(now: number): number | undefined {
    let least: number | undefined;
    for (const { projects } of this.#organizations)
      for (const share of projects) {
        const ms = share.restMs(now);
        if (ms > 0 && (least === undefined || ms < least)) least = ms;
      }
    return least;
  }

  #turnOf(organization: Share): OrganizationTurn {
    let turn = this.#turns.get(organization);
    if (turn === undefined) this.#turns.set(organization, (turn = new OrganizationTurn(organization)));
    return turn;
  }
}
