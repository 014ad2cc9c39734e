import { Mark } from "../parts/mark.tsx";
import { ProviderSignIn } from "./provider/provider-sign-in.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** What a tab shows before the sign-in. */
export const SignInPage = () => (
  <main className="sign-in">
    <div className="sign-in-card">
      <Mark />
      <h1>Sign in to the console</h1>
      <p className="lead">Who may do what with which data, and why.</p>
      <ProviderSignIn />
      <SignInForm />
    </div>
  </main>
);
