/** Environment variables of the command line. */
export const variables: readonly { readonly term: string; readonly meaning: string }[] = [
  { term: "IKG_URL", meaning: "address of the gateway" },
  { term: "IKG_TOKEN", meaning: "token of a service account (alternative: IKG_SERVICE_ACCOUNT_TOKEN)" },
  { term: "IKG_CLIENT_KEY", meaning: "key of an application agent" },
  { term: "IKG_PROJECT", meaning: "name or gid of the project" },
  { term: "IKG_CONTEXT", meaning: "name of the context" },
  { term: "IKG_CONTEXTS", meaning: "file with the contexts (default: ~/.config/ikg/contexts.json)" },
  {
    term: "IKG_HOME, IKG_ENVIRONMENT",
    meaning: "folder or path of the environment.json that npm start writes",
  },
  { term: "NO_COLOR", meaning: "disables colours" },
];
