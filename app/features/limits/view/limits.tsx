import { Table } from "#app/ui/table.tsx";
import { durationText, Moment } from "#app/ui/time.tsx";
import type { Limit } from "../resources.ts";

const number = (count: number) => count.toLocaleString("en");

export const LimitTable = ({ limits, now }: { limits: Limit[]; now: string }) => (
  <Table
    rows={limits}
    keyOf={({ budget, seconds }) => `${budget} ${seconds}`}
    columns={{
      Limit: ({ counts }) => counts,
      Most: ({ most, seconds }) =>
        seconds === null ? number(most) : `${number(most)} in ${durationText(seconds)}`,
      Used: ({ used }) => number(used),
      Resets: ({ resetsAt }) => (resetsAt ? <Moment at={resetsAt} now={now} form="ago" /> : "–"),
      "Raised by": ({ raisedBy }) => (raisedBy ? "The operator" : "Nobody"),
    }}
  />
);
