/** Whether `Accept-Encoding` names gzip without refusing it (RFC 9110, 12.5.3). */
export const acceptsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? "")
    .split(",")
    .some((each) => {
      const [coding = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
      return coding === "gzip" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
