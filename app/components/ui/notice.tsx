import type { ReactNode } from "react";
import type { Tone } from "./state.tsx";

/** Something worth knowing, beside the text, with its title first. */
export function Notice({
  tone,
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div className={tone ? `panel ${tone}` : "panel"}>
      {title ? <p className="label">{title}</p> : null}
      {children}
    </div>
  );
}

/** Why a form was not accepted, where no single field is at fault. Read out as it appears. */
export function Problem({ message }: { message: string | null | undefined }) {
  return message ? (
    <p className="error" role="alert">
      {message}
    </p>
  ) : null;
}
