import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { basePathOf, targetOf } from "./request-target.ts";

const gid = newGid("project");
const encoded = encodeURIComponent(gid);

describe("what a request line means", () => {
  it.each([
    [`/mcp/v1/${gid}`, "endpoint", gid],
    [`/mcp/v1/${encoded}`, "endpoint", encoded],
    [`/mcp/v1/${gid}/`, "endpoint", gid],
    [`/mcp/v1/${gid}?a=/b`, "endpoint", gid],
    [`/mcp/v1/${gid}/.well-known/oauth-protected-resource`, "metadata", gid],
    [`/.well-known/oauth-protected-resource/mcp/v1/${encoded}`, "metadata", encoded],
  ])("%s", (url, kind, spelled) => {
    expect(targetOf(url, "")).toEqual({ kind, project: gid, spelled });
  });

  it.each([
    "/",
    "/mcp",
    "/mcp/v1/",
    "/mcp/v1/gid:x",
    "/mcp/v1/%",
    `/mcp/v1/${newGid("organization")}`,
    `/mcp/v2/${gid}`,
    `/MCP/v1/${gid}`,
    `/mcp/v1/${gid}/more`,
    `/mcp/v1/${gid}//`,
    `/mcp/v1/../v1/${gid}`,
    `//mcp/v1/${gid}`,
    `/mcp/v1/${gid}#`,
    "/.well-known/oauth-protected-resource",
    `/.well-known/oauth-protected-resource/${gid}`,
  ])("%s is no known target", (url) => {
    expect(targetOf(url, "")).toBeUndefined();
  });

  it("knows the document of a public address with a path behind the well-known name", () => {
    const base = basePathOf("https://example.com/ikg/");
    const name = "/.well-known/oauth-protected-resource";
    expect(targetOf(`${name}/ikg/mcp/v1/${gid}`, base)).toEqual({
      kind: "metadata",
      project: gid,
      spelled: gid,
    });
    expect(targetOf(`/mcp/v1/${gid}`, base)).toMatchObject({ kind: "endpoint" });
    expect(targetOf(`${name}/other/mcp/v1/${gid}`, base)).toBeUndefined();
    expect(targetOf(`/ikg/mcp/v1/${gid}`, base)).toBeUndefined();
  });
});
