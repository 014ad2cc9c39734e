/**
 * Takes the place of `react-style-singleton`, which Radix uses while a dialog is open: its style elements are what the page's
 * content security policy refuses. Constructed style sheets are allowed.
 */
import { useEffect } from "react";

interface StyleProps {
  readonly styles: string;
  readonly dynamic?: boolean;
}

const useAdoptedStyles = (styles: string): void => {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [styles]);
};

/** The function by which that library makes a component that only brings styles. */
export const styleSingleton =
  () =>
  ({ styles }: StyleProps): null => {
    useAdoptedStyles(styles);
    return null;
  };
