type HeaderValue = string | readonly string[] | undefined;

/** A header that may be sent once; undefined for one that is absent, or listed as several values. */
export const singleHeader = (value: HeaderValue): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The first value of a header that may be sent several times, as `WWW-Authenticate` of an answer. */
export const firstHeader = (value: HeaderValue): string | undefined =>
  typeof value === "string" ? value : value?.[0];

/** Whether `Accept-Encoding` names gzip without refusing it (RFC 9110, 12.5.3). */
export const acceptsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? "")
    .split(",")
    .some((each) => {
      const [coding = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
      return coding === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
