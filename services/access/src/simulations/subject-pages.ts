import { orderStart, type Placed, type RandomOrder } from "./random-order.ts";

const bandSize = 50_000;
const firstBand = 2_000;

/** Some subjects, and the place of the random order up to which none is left out. */
export interface SubjectPage {
  readonly ids: readonly string[];
  readonly until: number;
}

/** The subjects of a question in their random order, read in bands of many pages. */
export class SubjectPages {
  readonly #order: RandomOrder;
  #total: number | undefined;
  #placed = 0;
  #repeated = 0;
  #band: readonly Placed[] = [];
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
    const read = this.#placed + this.#repeated;
    return Math.round((this.#total ?? 0) * (read === 0 ? 1 : this.#placed / read));
  }

  /** About `size` subjects behind a place. */
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
    const { placed, until, repeated } = await this.#order.band(position, size, this.#total ?? 0);
    this.#placed += placed.length;
    this.#repeated += repeated;
    this.#band = placed;
    this.#start = position;
    this.#end = until;
  }
}
