/** What became of the secrets so far. */
export interface Progress {
  /** Records and former states looked at. */
  readonly seen: number;
  /** Of those, sealed with the current key by this run. */
  readonly resealed: number;
  /** Changed by another transaction in between; the next walk sees them again. */
  readonly missed: number;
  /** `<kind> <gid> <field>` of secrets that no key opens. */
  readonly stuck: readonly string[];
}
