import { text } from "../names.ts";

/** An absolute URL of a third-party service, stored as written: issuers are compared as text. */
export const foreignUrl = ({ allowHttp }: { readonly allowHttp: boolean }) =>
  text(1, 2048).superRefine((value, context) => {
    const fault = (message: string): void => context.addIssue({ code: "custom", message });
    if (!URL.canParse(value) || !/^[!-~]+$/.test(value)) {
      fault("absolute URL expected");
      return;
    }
    const { protocol, username, password } = new URL(value);
    if (protocol !== "https:" && !(allowHttp && protocol === "http:")) fault("https URL expected");
    // An empty fragment is a fragment as well, and the URL class does not show it.
    if (username !== "" || password !== "" || value.includes("#"))
      fault("must not contain a user name, a password or a fragment");
  });
