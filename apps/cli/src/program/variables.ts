/** Environment variables of the command line, with what each holds. */
export const variables: readonly { readonly term: string; readonly meaning: string }[] = [
  { term: "IKG_URL", meaning: "address of the gateway" },
  { term: "IKG_TOKEN", meaning: "token of a service account; also IKG_SERVICE_ACCOUNT_TOKEN" },
  { term: "IKG_CLIENT_KEY", meaning: "key of an application agent" },
  { term: "IKG_PROJECT", meaning: "project by name or gid" },
  { term: "IKG_CONTEXT", meaning: "name of the context" },
  { term: "IKG_CONTEXTS", meaning: "file of the contexts (default ~/.config/ikg/contexts.json)" },
  { term: "IKG_HOME, IKG_ENVIRONMENT", meaning: "where npm start has left its environment.json" },
  { term: "NO_COLOR", meaning: "no colours" },
];
