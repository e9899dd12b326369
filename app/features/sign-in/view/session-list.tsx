import type { listSessions } from "#app/http/caller/session-end.server.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

type ShownSession = ReturnType<typeof listSessions>[number];

const BROWSERS = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Firefox", /\bFirefox\//],
  ["Chrome", /\b(Chrome|CriOS|Chromium)\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//],
] as const;
const SYSTEMS = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

const nameIn = (list: readonly (readonly [string, RegExp])[], text: string) =>
  list.find(([, pattern]) => pattern.test(text))?.[0];

export function browserText(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent) ?? (userAgent.split("/")[0] || "a browser");
  const system = nameIn(SYSTEMS, userAgent);
  return system ? `${browser} on ${system}` : browser;
}

export const SessionList = ({ sessions, now }: { sessions: ShownSession[]; now: string }) => (
  <Table
    rows={sessions}
    columns={{
      Browser: ({ userAgent, current }) => (
        <span title={userAgent}>
          {browserText(userAgent)}
          {current ? <span className="soft"> (this one)</span> : null}
        </span>
      ),
      "Signed in": ({ createdAt }) => <Moment at={createdAt} form="day" />,
      "Last used": ({ lastUsedAt }) => <Moment at={lastUsedAt} now={now} form="ago" />,
      "": ({ id, userAgent }) => (
        <ActionButton intent="end" fields={{ id }} kind="quiet">
          Sign out<span className="unseen"> {browserText(userAgent)}</span>
        </ActionButton>
      ),
    }}
  />
);
