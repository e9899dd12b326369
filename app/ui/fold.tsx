import type { ReactNode } from "react";

type FoldProps = { title: ReactNode; id?: string; open?: boolean; children: ReactNode };

/** A part of a page that is folded away under its title. */
export function Fold({ title, id, open = false, children }: FoldProps) {
  return (
    <details className="fold" id={id} open={open}>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}
