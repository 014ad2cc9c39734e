/**
 * An upper bound of a number that may depend on the element of the innermost loop: it is at most `most`, and at most
 * `base + share × weight` for an element of that weight. What all elements need together follows from the weight of the
 * list, so that a list of a thousand entries of which one is long is not counted as a thousand long ones.
 */
export interface Amount {
  readonly most: number;
  readonly base: number;
  readonly share: number;
  /** The parts of a sum, where several depend on the element: each is bounded by itself over all elements. */
  readonly terms?: readonly Amount[];
}

/** Keeps products of bounds finite; far above every budget. */
const ceiling = 1e60;
const cap = (value: number): number => Math.min(value, ceiling);

/** The same for every element. */
export const constant = (value: number): Amount => ({ most: cap(value), base: cap(value), share: 0 });

export const zero: Amount = constant(0);
export const one: Amount = constant(1);

/** At most `most`, and no more than the weight of the element. */
export const proportional = (most: number): Amount => ({ most: cap(most), base: 0, share: 1 });

/** Limit of the parts that a sum keeps apart. */
const maxTerms = 8;

const termsOf = (amounts: readonly Amount[]): readonly Amount[] | undefined => {
  const isMixed = amounts.filter(({ share }) => share > 0).length > 1 || amounts.some(({ terms }) => terms);
  if (!isMixed) return undefined;
  const terms = amounts.flatMap((each) => each.terms ?? [each]).filter(({ most }) => most > 0);
  return terms.length > maxTerms ? undefined : terms;
};

export const sum = (...amounts: readonly Amount[]): Amount => {
  let [most, base, share] = [0, 0, 0];
  for (const each of amounts) {
    most += each.most;
    base += each.base;
    share += each.share;
  }
  const terms = termsOf(amounts);
  return { most: cap(most), base: cap(base), share: cap(share), ...(terms === undefined ? {} : { terms }) };
};

/** The same amount as one part. */
export const withoutTerms = ({ most, base, share }: Amount): Amount => ({ most, base, share });

/** The larger of two amounts. */
export const maxOf = (left: Amount, right: Amount): Amount =>
  left === right
    ? left
    : {
        // The parts of the two are not compared with one another.
        most: Math.max(left.most, right.most),
        base: Math.max(left.base, right.base),
        share: Math.max(left.share, right.share),
      };

export const times = (amount: Amount, factor: number): Amount => ({
  most: cap(amount.most * factor),
  base: cap(amount.base * factor),
  share: cap(amount.share * factor),
  ...(amount.terms === undefined ? {} : { terms: amount.terms.map((term) => times(term, factor)) }),
});

/** The amount, bounded by `limit`. */
export const atMost = (amount: Amount, limit: number): Amount =>
  amount.most <= limit
    ? amount
    : { ...withoutTerms(amount), most: limit, ...(amount.share === 0 ? { base: limit } : {}) };

/** The smaller of two amounts; a dependency on the element is kept. */
export const minOf = (left: Amount, right: Amount): Amount =>
  left.share === 0 && right.share > 0 ? atMost(right, left.most) : atMost(left, right.most);

/** The product; only the larger factor keeps its dependency on the element. */
export const product = (left: Amount, right: Amount): Amount =>
  left.most > right.most ? times(left, right.most) : times(right, left.most);

/** The amount of a whole loop over a list. @param weight of the list */
export const total = (each: Amount, entries: Amount, weight: Amount): Amount => {
  if (each.terms !== undefined) return sum(...each.terms.map((term) => total(term, entries, weight)));
  const plain = times(entries, each.most);
  const shared = sum(times(entries, each.base), times(weight, each.share));
  return shared.most < plain.most ? shared : plain;
};
