import manifest from "../../package.json" with { type: "json" };

/** Version of this process: that of the release, which all packages share. */
export const { version } = manifest;
