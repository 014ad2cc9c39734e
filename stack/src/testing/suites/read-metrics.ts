/** The metrics of one process at one moment. */
export interface MetricValues {
  /** Kind of each metric by name. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Names of labels that its series have, `service` and what makes a histogram one left out. */
  labelsOf(name: string): readonly string[];
  /** Total of its series that have these labels; of a histogram the count of its observations. */
  total(name: string, labels?: Readonly<Record<string, string>>): number;
  /** Its series that are not 0, as they are written; of a histogram the counts of its observations. */
  nonZero(name: string): readonly string[];
  readonly text: string;
}

interface Sample {
  readonly line: string;
  readonly series: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const sampleOf = (line: string): Sample => {
  const [, series = "", labels = "", value = ""] = /^([a-zA-Z_:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pairs = [...labels.matchAll(/([a-zA-Z_]+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    line,
    series,
    labels: new Map(pairs.map(([, name = "", text = ""]) => [name, text])),
    value: Number(value),
  };
};

const frame = new Set(["service", "le", "quantile"]);

/** Reads what GET /metrics answers. */
export const metricsIn = (text: string): MetricValues => {
  const lines = text.split("\n");
  const kinds = new Map(
    lines.flatMap((line) => {
      const [, name, kind] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      return name === undefined || kind === undefined ? [] : [[name, kind] as const];
    }),
  );
  const samples = lines.filter((line) => line !== "" && !line.startsWith("#")).map(sampleOf);
  const seriesOf = (name: string): readonly Sample[] => {
    const wanted = kinds.get(name) === "histogram" ? `${name}_count` : name;
    return samples.filter(({ series }) => series === wanted);
  };
  return {
    kinds,
    text,
    labelsOf: (name) => [
      ...new Set(
        seriesOf(name).flatMap(({ labels }) => [...labels.keys()].filter((label) => !frame.has(label))),
      ),
    ],
    nonZero: (name) =>
      seriesOf(name)
        .filter(({ value }) => value !== 0)
        .map(({ line }) => line),
    total: (name, labels = {}) =>
      seriesOf(name)
        .filter((sample) =>
          Object.entries(labels).every(([label, wanted]) => sample.labels.get(label) === wanted),
        )
        .reduce((sum, { value }) => sum + value, 0),
  };
};
