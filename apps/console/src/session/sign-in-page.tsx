import { ErrorNote } from "../components/error-note.tsx";
import { Logo } from "../components/logo.tsx";
import { ProviderSignIn } from "./provider/provider-sign-in.tsx";
import { SignInForm } from "./sign-in-form.tsx";

interface SignInPageProps {
  /** Why the token that this tab keeps could not be used; undefined where it keeps none. */
  readonly failure: unknown;
  readonly onRetry: () => void;
}

/** What a tab shows before the sign-in. */
export const SignInPage = ({ failure, onRetry }: SignInPageProps) => (
  <main className="sign-in">
    <div className="sign-in-card">
      <Logo />
      <h1>Sign in to the console</h1>
      <p className="lead">Who may do what with which data, and why.</p>
      {failure !== undefined && (
        <ErrorNote error={failure} title="Could not sign in with the token of this tab" onRetry={onRetry} />
      )}
      <ProviderSignIn />
      <SignInForm />
    </div>
  </main>
);
