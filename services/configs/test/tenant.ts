import { setTimeout as wait } from "node:timers/promises";
import { targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { internalContextHeader, type SignContext } from "@ikg/auth";
import { type AccountRole, type AdministratorCaller, type Gid, type Grants, newGid } from "@ikg/contracts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Tests examine bodies field by field. */
  readonly body: Record<string, unknown> & { message?: string; errors?: string[] };
  readonly text: string;
}

/** Members of a record that nearly every test needs. */
export interface Made {
  readonly id: Gid;
  readonly name: string;
  readonly etag: string;
  readonly body: Answer["body"];
}

/** One organization with a service account that acts for it. */
export interface Tenant {
  readonly organization: Gid;
  readonly account: Gid;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The same organization seen by an account of another role. */
  as(role: AccountRole): Tenant;
  /** The same organization seen by an administrator who has these roles alone. */
  granted(grants: Grants): Tenant;
  /** The same organization seen by this caller. */
  by(caller: AdministratorCaller): Tenant;
  /** The same account at another process with the same keys. */
  at(url: string): Tenant;
  /** Creates a record and expects 201. */
  make(path: string, body: object): Promise<Made>;
  project(name?: string): Promise<Made>;
}

/** Who calls which process. */
interface Account {
  readonly organization: Gid;
  readonly account: Gid;
  readonly role: AccountRole;
  /** Instead of a service account of that role. */
  readonly caller?: AdministratorCaller;
  readonly url: string;
}

let counter = 0;

/** A name that no other record of the test has. */
export const freshName = (): string => `n${process.pid}-${(counter++).toString(36)}-x`;

const sendAs =
  ({ organization, account, role, url, caller: given }: Account, sign: SignContext): Tenant["send"] =>
  async (method, path, body, headers = {}) => {
    const caller =
      given ??
      ({
        kind: "service_account",
        credential_kid: "test",
        org: organization,
        service_account: account,
        role,
      } as const);
    const answer = await fetch(`${url}/configs/v1${path}`, {
      method,
      headers: {
        // Signed for each request: a context lives for a minute, and tests may take longer.
        [internalContextHeader]: await sign(caller, targetOf("configs", method, `/configs/v1${path}`)),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed = JSON.parse(text) as Answer["body"];
    return { status: answer.status, headers: answer.headers, text, body: parsed };
  };

/** @param onProject called after a project was created. */
export const tenantOf = (account: Account, sign: SignContext, onProject: () => Promise<void>): Tenant => {
  const send = sendAs(account, sign);
  const make: Tenant["make"] = async (path, body) => {
    let answer = await send("POST", path, body);
    // A 503 has changed nothing; a busy machine may give one, so that set-up is repeated.
    for (let tries = 1; answer.status === 503 && tries < 4; tries += 1) {
      await wait(1_000 * Number(answer.headers.get("retry-after") ?? 1));
      answer = await send("POST", path, body);
    }
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    if (path === "/projects") await onProject();
    return {
      id: answer.body["id"] as Gid,
      name: String(answer.body["name"]),
      etag: answer.headers.get("etag") ?? "",
      body: answer.body,
    };
  };
  const { organization } = account;
  return {
    organization,
    account: account.account,
    send,
    as: (role) => tenantOf({ ...account, account: newGid("service_account"), role }, sign, onProject),
    granted: (grants) => {
      const id = newGid("service_account");
      const caller = { credential_kid: "test", org: organization, service_account: id, grants };
      return tenantOf({ ...account, caller: { kind: "service_account", ...caller } }, sign, onProject);
    },
    by: (caller) => tenantOf({ ...account, caller }, sign, onProject),
    at: (url) => tenantOf({ ...account, url }, sign, onProject),
    make,
    project: (name = freshName()) => make("/projects", { organization_id: organization, name }),
  };
};
