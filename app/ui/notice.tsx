import type { ReactNode } from "react";
import type { Tone } from "./state.tsx";

type NoticeProps = { tone?: Tone; title?: string; children?: ReactNode };

/** A remark beside the text, with a title. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={tone ? `panel ${tone}` : "panel"}>
      {title ? <p className="label">{title}</p> : null}
      {children}
    </div>
  );
}

/** Why a form was rejected, if no single field is at fault. Announced by screen readers when it appears. */
export function Problem({ message }: { message: string | null | undefined }) {
  return message ? (
    <p className="error" role="alert">
      {message}
    </p>
  ) : null;
}
