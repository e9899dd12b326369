import { durationText } from "#app/ui/time.tsx";

/** For browsers without script: a way to the page that reloads, and back. A page with a form never reloads. */
export function Reloading({ every }: { every: number | null }) {
  if (every !== null)
    return (
      <p className="small sans">
        This page reloads every {every < 120 ? `${every} s` : durationText(every)}.{" "}
        <a href="?">Stop reloading</a>
      </p>
    );
  return (
    <noscript>
      <p className="small sans">
        <a href="?live">Live status</a>, on a page that reloads.
      </p>
    </noscript>
  );
}
