import type { ReactNode } from "react";
import { Link } from "#app/remix/react.ts";

/** `columns`: how to draw the cells; `keyOf`: for a table that changes; `none`: shown in place of an empty table. */
type TableProps<Row> = {
  rows: readonly Row[];
  columns: Record<string, (row: Row) => ReactNode>;
  keyOf?: (row: Row, index: number) => string | number;
  none?: ReactNode;
  caption?: ReactNode;
  className?: string;
};

const idOf = (row: object, index: number) => ("id" in row ? String(row.id) : index);

/** A table with row heads in the first column. On narrow screens each row becomes a block. */
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

/** The address of this list's page after `cursor`; null after the last page. */
export const olderFrom = (cursor: string | null) =>
  cursor && `?cursor=${encodeURIComponent(cursor)}`;

type PagerProps = { newest?: string | null; newer?: string | null; older: string | null };

/** Links below a page of a list: `newest` or `newer` except on the first page, `older` except on the last. */
export function Pager({ newest = null, newer = null, older }: PagerProps) {
  const previousCursor = newest ?? newer;
  if (!previousCursor && !older) return null;
  return (
    <p className="row apart sans">
      {previousCursor ? <Link to={previousCursor}>{newest ? "Newest" : "Newer"}</Link> : <span />}{" "}
      {older ? <Link to={older}>Older</Link> : null}
    </p>
  );
}
