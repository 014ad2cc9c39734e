import { Logo } from "../components/logo.tsx";
import { ProviderSignIn } from "./provider/provider-sign-in.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** What a tab shows before the sign-in. */
export const SignInPage = () => (
  <main className="sign-in">
    <div className="sign-in-card">
      <Logo />
      <h1>Sign in to the console</h1>
      <p className="lead">Who may do what with which data, and why.</p>
      <ProviderSignIn />
      <SignInForm />
    </div>
  </main>
);
