import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./app/query-client.ts";
import { router } from "./app/router.ts";
import { SignInGate } from "./session/sign-in-gate.tsx";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SignInGate>
        <RouterProvider router={router} />
      </SignInGate>
    </QueryClientProvider>
  </StrictMode>,
);
