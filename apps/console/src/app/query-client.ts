import { QueryClient } from "@tanstack/react-query";

/** The client repeats by itself what is worth repeating, so queries are not repeated here. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: "always",
    },
    mutations: { retry: false },
  },
});
