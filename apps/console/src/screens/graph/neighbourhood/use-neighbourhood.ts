import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useAdmin } from "../../../session/use-admin.ts";
import { useSession } from "../../../session/use-session.ts";
import type { NamedNode } from "../node-link.tsx";
import { type Filters, NeighbourhoodStore } from "./neighbourhood-store.ts";

/** A first look is small enough to be read as a drawing; who wants more gets more at once. */
const pageSizes = { first: 100, next: 500 };

/** The neighbourhood of a node, read as it is expanded. */
export const useNeighbourhood = (
  projectId: string,
  { type, external_id }: NamedNode,
  { direction, types }: Filters,
) => {
  const admin = useAdmin(projectId);
  const latest = useRef(admin);
  latest.current = admin;
  const store = useMemo(
    () =>
      new NeighbourhoodStore({ type, external_id }, async ({ node, ...options }) => {
        const pageSize = options.cursor === undefined ? pageSizes.first : pageSizes.next;
        const pageOptions = {
          ...options,
          pageSize,
          types: options.types.length === 0 ? undefined : options.types,
        };
        const page = await latest.current.graph.neighbours(node, pageOptions).pages().next();
        return page.value ?? { items: [], cursor: undefined };
      }),
    [type, external_id],
  );
  const typesText = types.join(",");
  useEffect(() => {
    store.open({ direction, types: typesText === "" ? [] : typesText.split(",") });
    return () => store.close();
  }, [store, direction, typesText]);
  const { status } = useSession();
  useEffect(() => {
    // What a credential that has expired did not get.
    if (status === "signed_in") store.retryFailed();
  }, [store, status]);
  return { store, expansions: useSyncExternalStore(store.subscribe, store.get) };
};
