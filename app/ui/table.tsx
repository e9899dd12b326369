import type { ReactNode } from "react";
import { Link } from "#app/remix/react.ts";

type TableProps<Row> = {
  rows: readonly Row[];
  /** Each column's cell of a row, by the column's head. */
  columns: Record<string, (row: Row) => ReactNode>;
  /** What tells a row from the others of a table that changes; its id by default, else its place. */
  keyOf?: (row: Row, index: number) => string | number;
  /** What stands in its place where there are no rows. */
  none?: ReactNode;
  caption?: string;
  className?: string;
};

const idOf = (row: object, index: number) => ("id" in row ? String(row.id) : index);

/** A table whose first cells head its rows. On narrow screens each row becomes a block. */
export function Table<Row extends object>(table: TableProps<Row>) {
  const { rows, columns, keyOf = idOf, none = null, caption, className = "" } = table;
  if (rows.length === 0) return none;
  const [first, ...others] = Object.entries(columns);
  return (
    <table className={`folds ${className}`.trim()}>
      {caption ? <caption>{caption}</caption> : null}
      <thead>
        <tr>
          {Object.keys(columns).map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)}>
            <th scope="row">{first?.[1](row)}</th>
            {others.map(([name, cellOf]) => (
              <td key={name} data-column={name}>
                {cellOf(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where the page of this list is that goes on at `cursor`; null after the last. */
export const olderFrom = (cursor: string | null) =>
  cursor && `?cursor=${encodeURIComponent(cursor)}`;

type PagerProps = { newest?: string | null; newer?: string | null; older: string | null };

/** Links below a page of a list: `newest` or `newer` unless this is the first page, `older` unless it is the last. */
export function Pager({ newest = null, newer = null, older }: PagerProps) {
  const before = newest ?? newer;
  if (!before && !older) return null;
  return (
    <p className="row apart sans">
      {before ? <Link to={before}>{newest ? "Newest" : "Newer"}</Link> : <span />}{" "}
      {older ? <Link to={older}>Older</Link> : null}
    </p>
  );
}
