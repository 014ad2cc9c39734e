import { type ReactNode, useEffect } from "react";

interface ScreenProps {
  readonly title: string;
  /** The question that the screen answers. */
  readonly question: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen with its heading; the title of the tab follows it. */
export const Screen = ({ title, question, actions, children }: ScreenProps) => {
  useEffect(() => {
    document.title = `${title} · IKG console`;
  }, [title]);
  return (
    <article className="screen">
      <header className="screen-head">
        <div>
          <h1>{title}</h1>
          <p className="lead">{question}</p>
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </article>
  );
};
