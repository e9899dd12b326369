import type { ReactNode } from "react";

/** A part of a page that is folded away under its title. */
export function Fold({
  title,
  id,
  open = false,
  children,
}: {
  title: ReactNode;
  id?: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="fold" id={id} open={open}>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}
