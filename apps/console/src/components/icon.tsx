/** Icons of the console: paths of 20 by 20 points, drawn with lines. */
const paths = {
  home: "M3 9.5 10 3.5l7 6V17h-4.5v-4.5h-5V17H3z",
  play: "M6.5 4.2v11.6L15.5 10z",
  graph:
    "M10 6.5 5.5 13M10 6.5 15 12.5M7.5 14.5h5M10 2.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM5 13a2 2 0 1 1 0 4 2 2 0 0 1 0-4Zm10-.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z",
  policy: "M10 2.5 16 5v4.5c0 4-2.5 6.6-6 8-3.5-1.4-6-4-6-8V5zM7.5 10l1.8 1.8 3.2-3.6",
  query: "M3.5 4.5h13M3.5 9h8M3.5 13.5h4M13 10.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Zm1.9 4.4 2.6 2.6",
  decision: "M4 3.5h12v13H4zM7 8l1.2 1.2L10.5 7M7 13l1.2 1.2 2.3-2.2M12.5 8h1.5M12.5 13h1.5",
  import: "M10 3v9M6.5 8.5 10 12l3.5-3.5M3.5 13v3.5h13V13",
  project: "M3 5.5h5l1.5 2H17v9H3z",
  person: "M10 3.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5",
  "sign-out": "M8 3.5H4v13h4M12 6.5l3.5 3.5-3.5 3.5M15 10H8",
  check: "M4 10.5 8 14.5 16 6",
  cross: "M5 5l10 10M15 5 5 15",
  question:
    "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M10 14.5v.2M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15Z",
  warning: "M10 3 18 16.5H2zM10 8v4M10 14.2v.2",
  copy: "M7 7h9.5v9.5H7zM4.5 13H3.5V3.5H13v1",
  link: "M8.5 11.5 11.5 8.5M9 6.5l2-2a3.2 3.2 0 0 1 4.5 4.5l-2 2M11 13.5l-2 2A3.2 3.2 0 0 1 4.5 11l2-2",
  plus: "M10 4v12M4 10h12",
  remove: "M4.5 5.5h11M8 5.5v-2h4v2M6 5.5l.7 11h6.6l.7-11",
  retry: "M16 10a6 6 0 1 1-1.8-4.3M16 3v3.5h-3.5",
  download: "M10 3v9M6.5 8.5 10 12l3.5-3.5M4 16.5h12",
  chevron: "M6 8l4 4 4-4",
} as const;

export type IconName = keyof typeof paths;

/** Never the only sign of something: a text stands beside it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
