import { orderStart, type PositionedNode, type RandomOrder } from "./random-order.ts";

const bandSize = 50_000;
const firstBand = 2_000;

/** A page of subjects, which has all of them up to the position `until` of the random order. */
export interface SubjectPage {
  readonly ids: readonly string[];
  readonly until: number;
}

/** The subjects of a question in their random order, read in bands of many pages. */
export class SubjectPages {
  readonly #order: RandomOrder;
  #total: number | undefined;
  #unique = 0;
  #repeated = 0;
  #band: readonly PositionedNode[] = [];
  #start = orderStart;
  #end = orderStart;

  constructor(order: RandomOrder) {
    this.#order = order;
  }

  /**
   * All subjects, as far as they have been counted; nodes of other types with the same label included. Of those that several
   * parts of the graph have, the share that was read so far is taken for that of all.
   */
  get total(): number {
    const read = this.#unique + this.#repeated;
    return Math.round((this.#total ?? 0) * (read === 0 ? 1 : this.#unique / read));
  }

  /** About `size` subjects after a position. */
  async after(position: number, size: number): Promise<SubjectPage> {
    this.#total ??= await this.#order.count();
    if (position < this.#start || position >= this.#end) await this.#read(position);
    const rest = this.#band.filter((each) => each.position > position);
    // Nodes of one position, which ids beyond the prime share, stay together.
    const last = rest[size - 1]?.position;
    const page = last === undefined ? rest : rest.filter((each) => each.position <= last);
    const isLast = page.length === rest.length;
    return { ids: page.map(({ id }) => id), until: isLast ? this.#end : (last ?? this.#end) };
  }

  async #read(position: number): Promise<void> {
    const size = position === orderStart ? firstBand : bandSize;
    const { nodes, until, repeated } = await this.#order.band(position, size, this.#total ?? 0);
    this.#unique += nodes.length;
    this.#repeated += repeated;
    this.#band = nodes;
    this.#start = position;
    this.#end = until;
  }
}
