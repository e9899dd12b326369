import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

type TableProps = {
  head: readonly string[];
  rows: { key: string | number; cells: ReactNode[] }[];
  caption?: string;
  className?: string;
};

/** A table whose first cells head its rows. On narrow screens each row becomes a block. */
export function Table({ head, rows, caption, className = "" }: TableProps) {
  return (
    <table className={`folds ${className}`.trim()}>
      {caption ? <caption>{caption}</caption> : null}
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...others] }) => (
          <tr key={key}>
            <th scope="row">{first}</th>
            {others.map((cell, index) => (
              <td key={head[index + 1]} data-column={head[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links below a page of a list: `newest` unless this is the first page, `older` unless it is the last. */
export function Pager({ newest, older }: { newest: string | null; older: string | null }) {
  if (!newest && !older) return null;
  return (
    <p className="row apart sans">
      {newest ? <Link to={newest}>Newest</Link> : <span />}{" "}
      {older ? <Link to={older}>Older</Link> : null}
    </p>
  );
}
